//! The render passes that stretch the console's picture over its viewport.

use pixels::wgpu;

use crate::video::filter::Filter;
use crate::video::viewport::{Crop, Viewport};

/// One pipeline a filter, with the bindings of its source texture, for one kind of target.
#[derive(Debug)]
pub(crate) struct Blit {
    passes: [Pass; Filter::ALL.len()],
    /// Without filter, at whole multiples of the picture.
    exact: Pass,
    border: Pass,
    render: wgpu::Buffer,
}

#[derive(Debug)]
struct Pass {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroup,
}

impl Blit {
    /// Draws into targets of `format`: `composite` for the filter of that name, `dots` for all
    /// others; both of any size.
    pub(crate) fn new(
        device: &wgpu::Device,
        dots: &wgpu::Texture,
        composite: &wgpu::Texture,
        format: wgpu::TextureFormat,
    ) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("blit.wgsl"));
        let render = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("render"),
            size: 16,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = layout(device);
        let pass = |source, entry_point| Pass {
            pipeline: pipeline(device, &layout, &shader, entry_point, format),
            bindings: bindings(device, &layout, source, &render),
        };
        let passes = Filter::ALL
            .map(|filter| pass(if filter == Filter::Composite { composite } else { dots }, filter.shader()));
        Self { passes, exact: pass(dots, "exact"), border: pass(dots, "border"), render }
    }

    /// Sets the part of the source that is drawn next.
    pub(crate) fn show(&self, queue: &wgpu::Queue, crop: Crop) {
        let part: Vec<u8> = crop.part().into_iter().flat_map(f32::to_ne_bytes).collect();
        queue.write_buffer(&self.render, 0, &part);
    }

    /// Draws the source into `viewport`, which must lie inside the target of `pass`, by `filter`.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        (viewport, crop, filter): (Viewport, Crop, Filter),
    ) {
        let (columns, lines) = crop.size();
        let is_whole = viewport.width.is_multiple_of(columns) && viewport.height.is_multiple_of(lines);
        let exact = filter == Filter::None && is_whole;
        (if exact { &self.exact } else { &self.passes[filter as usize] }).draw(pass, viewport);
    }

    /// Draws black into the parts of `room` around `picture`.
    pub(crate) fn draw_border(&self, pass: &mut wgpu::RenderPass<'_>, room: Viewport, picture: Viewport) {
        for part in room.around(picture) {
            self.border.draw(pass, part);
        }
    }
}

impl Pass {
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, Viewport { x, y, width, height }: Viewport) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        pass.draw(0..3, 0..1);
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("picture"),
        entries: &[
            entry(
                0,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(
                1,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            ),
        ],
    })
}

fn bindings(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    source: &wgpu::Texture,
    render: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let view = source.create_view(&wgpu::TextureViewDescriptor::default());
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("picture"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: render.as_entire_binding() },
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    shader: &wgpu::ShaderModule,
    entry_point: &str,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("picture"),
        bind_group_layouts: &[layout],
        push_constant_ranges: &[],
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(entry_point),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(format.into())],
        }),
        multiview: None,
        cache: None,
    })
}
