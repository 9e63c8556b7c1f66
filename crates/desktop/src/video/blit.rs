//! The render passes that stretch the console's picture over its viewport.

use pixels::wgpu;

use crate::video::filter::Filter;
use crate::video::viewport::{Crop, Viewport};

/// One pipeline a filter, with the bindings of its source texture, for one kind of target.
#[derive(Debug)]
pub(crate) struct Blit {
    passes: [Pass; Filter::ALL.len()],
    render: wgpu::Buffer,
}

#[derive(Debug)]
struct Pass {
    filter: Filter,
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
        let passes = Filter::ALL.map(|filter| {
            let source = if filter == Filter::Composite { composite } else { dots };
            Pass {
                filter,
                pipeline: pipeline(device, &layout, &shader, filter.shader(), format),
                bindings: bindings(device, &layout, source, &render),
            }
        });
        Self { passes, render }
    }

    /// Clears `target` to black and draws the source into `viewport`, which must lie inside it,
    /// without what `crop` cuts off.
    pub(crate) fn draw(
        &self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (viewport, crop, filter): (Viewport, Crop, Filter),
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        self.draw_over(queue, encoder, target, (viewport, crop, filter, clear));
    }

    /// The same without filter, and what is outside of `viewport` stays.
    pub(crate) fn draw_beside(
        &self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (viewport, crop): (Viewport, Crop),
    ) {
        self.draw_over(queue, encoder, target, (viewport, crop, Filter::None, wgpu::LoadOp::Load));
    }

    fn draw_over(
        &self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (viewport, crop, filter, load): (Viewport, Crop, Filter, wgpu::LoadOp<wgpu::Color>),
    ) {
        let part: Vec<u8> = crop.part().into_iter().flat_map(f32::to_ne_bytes).collect();
        queue.write_buffer(&self.render, 0, &part);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        let Viewport { x, y, width, height } = viewport;
        for Pass { pipeline, bindings, .. } in self.passes.iter().filter(|pass| pass.filter == filter) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bindings, &[]);
            pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
            pass.set_scissor_rect(x, y, width, height);
            pass.draw(0..3, 0..1);
        }
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
            entry(1, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            entry(
                2,
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
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let view = source.create_view(&wgpu::TextureViewDescriptor::default());
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("picture"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
            wgpu::BindGroupEntry { binding: 2, resource: render.as_entire_binding() },
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
