// The console's picture, stretched over the viewport by one of the filters. Textures and target hold sRGB bytes: a dot
// that is shown as it is needs no conversion, which is what a program costs most that draws without a graphics card.
// Colours are blended in linear light.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

struct Look {
    // Left and top edge, width and height of what is shown, in fractions of the picture.
    part: vec4<f32>,
}

@group(0) @binding(0) var dots: texture_2d<f32>;
@group(0) @binding(1) var<uniform> look: Look;

// One triangle, twice as large as the viewport, covers it.
@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Corner(vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

// Where `dot` is looked up so that dots are sharp and blended only over the one window pixel in which two meet.
fn sharpened(dot: vec2<f32>) -> vec2<f32> {
    let seam = floor(dot + 0.5);
    let pixel = max(fwidth(dot), vec2<f32>(1e-5));
    return seam + clamp((dot - seam) / pixel, vec2<f32>(-0.5), vec2<f32>(0.5));
}

fn shown(at: vec2<f32>) -> vec2<f32> {
    return look.part.xy + at * look.part.zw;
}

fn light_of(colour: vec3<f32>) -> vec3<f32> {
    let bright = pow((colour + 0.055) / 1.055, vec3<f32>(2.4));
    return select(bright, colour / 12.92, colour <= vec3<f32>(0.04045));
}

fn colour_of(light: vec3<f32>) -> vec4<f32> {
    let bright = 1.055 * pow(light, vec3<f32>(1.0 / 2.4)) - 0.055;
    return vec4<f32>(select(bright, light * 12.92, light <= vec3<f32>(0.0031308)), 1.0);
}

fn dot_at(column: i32, line: i32) -> vec3<f32> {
    let last = vec2<i32>(textureDimensions(dots)) - 1;
    return textureLoad(dots, clamp(vec2<i32>(column, line), vec2<i32>(0), last), 0).rgb;
}

// The light of the four dots around `at`, blended.
fn blended(at: vec2<f32>) -> vec3<f32> {
    let first = floor(at - 0.5);
    let part = at - 0.5 - first;
    let column = i32(first.x);
    let line = i32(first.y);
    let above = mix(light_of(dot_at(column, line)), light_of(dot_at(column + 1, line)), part.x);
    if part.y == 0.0 {
        return above;
    }
    let below = mix(light_of(dot_at(column, line + 1)), light_of(dot_at(column + 1, line + 1)), part.x);
    return mix(above, below, part.y);
}

// Around a picture that does not fill its room.
@fragment
fn border(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(0.0, 0.0, 0.0, 1.0);
}

// At whole multiples: each window pixel shows one dot.
@fragment
fn exact(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    return textureLoad(dots, vec2<i32>(shown(corner.at) * size), 0);
}

@fragment
fn sharp(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    return colour_of(blended(sharpened(shown(corner.at) * size)));
}

// For pictures that have no sharp dots sideways.
@fragment
fn soft(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    let dot = shown(corner.at) * size;
    return colour_of(blended(vec2<f32>(dot.x, sharpened(dot).y)));
}

@fragment
fn scanlines(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    let dot = shown(corner.at) * size;
    let light = blended(sharpened(dot));
    let dark = 0.75 * smoothstep(0.4, 0.8, fract(dot.y));
    // Where a scanline has no two window pixels, dark lines would be a pattern of their own.
    let room = 1.0 - smoothstep(0.5, 0.8, fwidth(dot.y));
    return colour_of(light * (1.0 - dark * room));
}

// One scanline's light at `distance` lines from its middle: the beam is wider where it is brighter.
fn beam(colour: vec3<f32>, distance: f32) -> vec3<f32> {
    let width = mix(vec3<f32>(0.28), vec3<f32>(0.42), sqrt(colour));
    let away = vec3<f32>(distance) / width;
    return colour * exp(-0.5 * away * away);
}

@fragment
fn crt(corner: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(dots));
    let flat = corner.at * 2.0 - 1.0;
    let bent = flat * (1.0 + vec2<f32>(0.018, 0.03) * flat.yx * flat.yx);
    let dot = shown(bent * 0.5 + 0.5) * size;
    // The beam cannot change at once: dots blend over the middle half of their width.
    let column = floor(dot.x - 0.5);
    let x = column + 0.5 + smoothstep(0.2, 0.8, dot.x - 0.5 - column);
    let line = floor(dot.y - 0.5);
    let above = blended(vec2<f32>(x, line + 0.5));
    let below = blended(vec2<f32>(x, line + 1.5));
    let height = dot.y - 0.5 - line;
    let light = beam(above, height) + beam(below, 1.0 - height);
    // Stripes of red, green and blue phosphor, a window pixel each.
    let stripe = u32(corner.position.x) % 3u;
    let phosphor = select(vec3<f32>(0.72), vec3<f32>(1.3), vec3<bool>(stripe == 0u, stripe == 1u, stripe == 2u));
    // The tube's frame, and less light towards it.
    let edge = vec2<f32>(1.0) - abs(bent);
    let frame = smoothstep(0.0, 0.006, edge.x) * smoothstep(0.0, 0.006, edge.y);
    let corners = 1.0 - 0.25 * pow(length(flat) / 1.4142, 4.0);
    return colour_of(min(light * phosphor * frame * corners * 1.25, vec3<f32>(1.0)));
}
