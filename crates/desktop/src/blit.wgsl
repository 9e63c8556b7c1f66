// The console's picture, stretched over the viewport: sharp dots, blended only over the one window pixel in which
// two dots meet. At whole multiples no window pixel is shared, and the picture is exact.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@group(0) @binding(0) var dots: texture_2d<f32>;
@group(0) @binding(1) var blend: sampler;

// One triangle, twice as large as the viewport, covers it.
@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

@fragment
fn shade(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    let dot = corner.at * size;
    let seam = floor(dot + 0.5);
    let pixel = max(fwidth(dot), vec2<f32>(1e-5));
    let sharp = seam + clamp((dot - seam) / pixel, vec2<f32>(-0.5), vec2<f32>(0.5));
    return textureSample(dots, blend, sharp / size);
}
