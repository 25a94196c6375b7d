// The shaders. The contact's axes are (t, b, n); A faces +n, B faces -n.
#pragma once

namespace asperity::gl {

/// Pass 1, vertices: draws each triangle of a tile as its bounding rectangle of pixels. The fragment shader discards the
/// pixels outside the triangle.
constexpr const char* kTileVertexShader = R"(#version 330 core
layout(location = 0) in uvec4 entry_a;
layout(location = 1) in uvec4 entry_b;
layout(location = 2) in uvec4 entry_c;
layout(location = 3) in uvec4 entry_d;
layout(location = 4) in uvec4 entry_e;
layout(location = 5) in uvec4 entry_f;
layout(location = 6) in uvec4 entry_g;
uniform int tiles_per_row, resolution;
// As in Entry: borders, height, u, v (at, dx, dy each), side, triangle, shift, shares, behind, rectangle, map.
flat out uvec4 a, b, c, d, e, f, g;

void main() {
    a = entry_a, b = entry_b, c = entry_c, d = entry_d, e = entry_e, f = entry_f, g = entry_g;
    int side = int(e.z);
    vec2 pixel = vec2((gl_VertexID & 1) == 0 ? g.y & 0xffffu : (g.y >> 16) + 1u,
                      (gl_VertexID & 2) == 0 ? g.z & 0xffffu : (g.z >> 16) + 1u);
    vec2 tile = vec2(side % tiles_per_row, side / tiles_per_row);
    gl_Position = vec4(2.0 * (tile + pixel / float(resolution)) / float(tiles_per_row) - 1.0, 0.0, 1.0);
}
)";

/// Pass 1, pixels. Three decisions are sums of integers modulo 2^32, the same as on the CPU (surface/footprint_raster.h):
/// whether a pixel lies in the triangle and in the box, which texel is there, and which of two triangles is nearer. The
/// slope of the facet is measured against the surface's own normal and rotated with it into the contact plane, so that
/// curvature of the shape does not count as roughness.
constexpr const char* kTileFragmentShader = R"(#version 330 core
uniform samplerBuffer corners;              // 2 texels a corner: normal and handedness, tangent
uniform samplerBuffer sides;                // 4 texels a side: 3 rows shape -> contact axes, number of directions
uniform samplerBuffer facets;               // slope, how much it resists, how much it counts
uniform isamplerBuffer side_maps;           // first facet, width, height; one per part of a side
uniform int tiles_per_row, resolution;
flat in uvec4 a, b, c, d, e, f, g;
out vec4 result;                            // slope along t and b times what it resists, weight, 1 for a covered pixel

int texel_of(uint word, int count) {        // floor(word count / 2^32)
    uint n = uint(count);
    return int(((word >> 16) * n + (((word & 0xffffu) * n) >> 16)) >> 16);
}

vec3 unit(vec3 v) { return dot(v, v) > 1e-30 ? normalize(v) : vec3(0.0); }

void main() {
    int side = int(e.z), shift = int(f.x), first_corner = 6 * int(e.w);
    uvec2 at = uvec2(ivec2(gl_FragCoord.xy) - resolution * ivec2(side % tiles_per_row, side / tiles_per_row));
    ivec3 border = ivec3(a.x + at.x * a.y + at.y * a.z, a.w + at.x * b.x + at.y * b.y, b.z + at.x * b.w + at.y * c.x);
    int height = int(c.y + at.x * c.z + at.y * c.w);
    if (any(lessThan(border, ivec3(-resolution))) || abs(height) > (shift > 22 ? 0 : 4194304 >> shift)) discard;
    gl_FragDepth = float(4194304 - (height << shift)) / 16777216.0;   // 0 .. 1/2 in steps that floats have: exact

    vec3 row[3];
    for (int i = 0; i < 3; ++i) row[i] = texelFetch(sides, 4 * side + i).xyz;
    mat3 turn = transpose(mat3(row[0], row[1], row[2]));
    ivec4 map = texelFetch(side_maps, int(g.w));
    vec4 m[3], s[3];
    for (int i = 0; i < 3; ++i) {
        m[i] = texelFetch(corners, first_corner + 2 * i);
        s[i] = texelFetch(corners, first_corner + 2 * i + 1);
    }
    vec3 share = vec3(border) * vec3(uintBitsToFloat(f.y), uintBitsToFloat(f.z), uintBitsToFloat(f.w));
    vec3 outward = vec3(0.0, 0.0, (side & 1) == 1 ? -1.0 : 1.0);
    float front = g.x == 1u ? -1.0 : 1.0;   // sheets turn their frame to whoever looks
    vec3 n = front * unit(turn * (share.x * m[0].xyz + share.y * m[1].xyz + share.z * m[2].xyz));
    vec3 t = turn * (share.x * s[0].xyz + share.y * s[1].xyz + share.z * s[2].xyz);
    t = unit(t - dot(t, n) * n);
    float cosine = dot(n, outward);

    vec4 facet = vec4(0.0);
    if (map.y > 0 && cosine > 0.0) {
        int u = texel_of(d.x + at.x * d.y + at.y * d.z, map.y), v = texel_of(d.w + at.x * e.x + at.y * e.y, map.z);
        facet = texelFetch(facets, map.x + v * map.y + u);
    }
    vec3 slope = facet.x * t + facet.y * front * m[0].w * cross(n, t);
    if (cosine > 0.0) slope -= dot(slope, outward) / (1.0 + cosine) * (n + outward);
    result = vec4(facet.z * slope.xy, facet.w, 1.0);
}
)";

/// Pass 2: one pixel per direction and contact.
constexpr const char* kAverageVertexShader = R"(#version 330 core
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";
constexpr const char* kAverageFragmentShader = R"(#version 330 core
uniform sampler2D tiles;
uniform samplerBuffer sides;
uniform int tiles_per_row, resolution;
out vec4 result;                            // average of A, of B, covered pixels

void main() {
    int k = int(gl_FragCoord.x), contact = int(gl_FragCoord.y);
    float angle = 6.283185307179586 * float(k) / texelFetch(sides, 8 * contact + 3).x;
    vec2 d = vec2(cos(angle), sin(angle));
    ivec2 a = resolution * ivec2((2 * contact) % tiles_per_row, (2 * contact) / tiles_per_row);
    ivec2 b = resolution * ivec2((2 * contact + 1) % tiles_per_row, (2 * contact + 1) / tiles_per_row);
    float sum_a = 0.0, sum_b = 0.0, weight_a = 0.0, weight_b = 0.0, covered = 0.0;
    for (int j = 0; j < resolution; ++j) {
        for (int i = 0; i < resolution; ++i) {
            vec4 on_a = texelFetch(tiles, a + ivec2(i, j), 0), on_b = texelFetch(tiles, b + ivec2(i, j), 0);
            if (on_a.w * on_b.w == 0.0) continue;
            covered += 1.0;
            weight_a += on_a.z;
            weight_b += on_b.z;
            sum_a += max(0.0, -dot(on_a.xy, d));
            sum_b += max(0.0, dot(on_b.xy, d));
        }
    }
    result = vec4(weight_a > 0.0 ? sum_a / weight_a : 0.0, weight_b > 0.0 ? sum_b / weight_b : 0.0, covered, 0.0);
}
)";

}  // namespace asperity::gl
