// What runs on the graphics card. The contact's axes are (t, b, n); A faces +n, B faces -n.
#pragma once

namespace asperity::gl {

/// Pass 1: every triangle that may be seen in a tile, put into that tile. Rasterisers move corners to a grid of 1/256 of a pixel, and would
/// lose or add pixels at borders by it; so each triangle is drawn a little too large here, and the next shader decides in full precision.
constexpr const char* kTileVertexShader = R"(#version 330 core
layout(location = 0) in uvec2 entry;        // side, triangle
uniform samplerBuffer corners;              // 3 texels a corner: position and u, normal and v, tangent and handedness
uniform samplerBuffer sides;                // 5 texels a side: 3 rows shape -> contact axes, box, texture coordinates
uniform int tiles_per_row, resolution;
flat out int side, first_corner;

vec3 in_box(int corner) {                   // -1..1 in the view box; the outermost surface has the least depth
    vec4 p = vec4(texelFetch(corners, first_corner + 3 * (corner % 3)).xyz, 1.0), box = texelFetch(sides, 5 * side + 3);
    vec3 x = vec3(dot(texelFetch(sides, 5 * side), p), dot(texelFetch(sides, 5 * side + 1), p), dot(texelFetch(sides, 5 * side + 2), p));
    return vec3(x.xy * box.x, x.z * box.y * ((side & 1) == 1 ? 1.0 : -1.0));
}

void main() {
    side = int(entry.x);
    first_corner = 9 * int(entry.y);
    vec3 x = in_box(gl_VertexID), to_next = in_box(gl_VertexID + 1) - x, to_last = in_box(gl_VertexID + 2) - x;
    float next = length(to_next.xy), last = length(to_last.xy);
    if (next > 0.0 && last > 0.0) {         // both edges go outwards by 1/64 of a pixel; the depth stays on the triangle's plane
        float sine = abs(to_next.x * to_last.y - to_next.y * to_last.x) / (next * last);
        x -= (2.0 / 64.0 / float(resolution)) / max(sine, 0.05) * (to_next / next + to_last / last);
    }
    gl_ClipDistance[0] = 1.0 + x.x;
    gl_ClipDistance[1] = 1.0 - x.x;
    gl_ClipDistance[2] = 1.0 + x.y;
    gl_ClipDistance[3] = 1.0 - x.y;
    vec2 tile = vec2(side % tiles_per_row, side / tiles_per_row);
    gl_Position = vec4((2.0 * tile + 1.0 + x.xy) / float(tiles_per_row) - 1.0, x.z, 1.0);
}
)";

/// The slope of the facet, against the surface's own normal, turned into the contact plane with it: macro curvature is no roughness.
/// The point of the triangle under the pixel's centre is worked out here, for what rasterisers interpolate is as coarse as their grid.
constexpr const char* kTileFragmentShader = R"(#version 330 core
uniform samplerBuffer corners, sides;
uniform samplerBuffer facets;               // slope, how much it resists, how much it counts
uniform isamplerBuffer side_maps;           // first facet, width, height, whether it is seen from outside alone
uniform int tiles_per_row, resolution;
flat in int side, first_corner;
out vec4 result;                            // slope along t and b times what it resists, weight, 1 for a covered pixel

float area(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

void main() {
    vec4 row[3];
    for (int i = 0; i < 3; ++i) row[i] = texelFetch(sides, 5 * side + i);
    vec4 box = texelFetch(sides, 5 * side + 3), texture_axes = texelFetch(sides, 5 * side + 4);
    vec2 tile = float(resolution) * vec2(side % tiles_per_row, side / tiles_per_row);
    vec2 here = ((gl_FragCoord.xy - tile) * (2.0 / float(resolution)) - 1.0) / box.x;

    vec4 p[3], m[3], s[3];
    vec2 x[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = texelFetch(corners, first_corner + 3 * i);
        m[i] = texelFetch(corners, first_corner + 3 * i + 1);
        s[i] = texelFetch(corners, first_corner + 3 * i + 2);
        x[i] = vec2(dot(row[0], vec4(p[i].xyz, 1.0)), dot(row[1], vec4(p[i].xyz, 1.0))) - here;
    }
    vec3 share = vec3(area(x[1], x[2]), area(x[2], x[0]), area(x[0], x[1]));
    share /= share.x + share.y + share.z;
    if (any(lessThan(share, vec3(-1e-6)))) discard;   // rounding may not open a gap between neighbours

    // Surfaces seen edge on or, where they have an inside, from behind are not there. Sheets turn their frame to whoever looks.
    vec3 outward = vec3(0.0, 0.0, (side & 1) == 1 ? -1.0 : 1.0);
    mat3 turn = transpose(mat3(row[0].xyz, row[1].xyz, row[2].xyz));
    ivec4 map = texelFetch(side_maps, side);
    float facing = dot(turn * normalize(cross(p[1].xyz - p[0].xyz, p[2].xyz - p[0].xyz)), outward);
    if ((map.w == 1 ? facing : abs(facing)) < 1e-3) discard;
    float front = facing < 0.0 ? -1.0 : 1.0;
    vec3 n = front * normalize(turn * (share.x * m[0].xyz + share.y * m[1].xyz + share.z * m[2].xyz));
    vec3 t = turn * (share.x * s[0].xyz + share.y * s[1].xyz + share.z * s[2].xyz);
    t = normalize(t - dot(t, n) * n);
    float cosine = dot(n, outward);

    vec2 uv = texture_axes.xy * (share.x * vec2(p[0].w, m[0].w) + share.y * vec2(p[1].w, m[1].w) + share.z * vec2(p[2].w, m[2].w)) + texture_axes.zw;
    vec4 facet = vec4(0.0);
    if (map.y > 0 && cosine > 0.0) {
        ivec2 texel = min(ivec2(fract(uv) * vec2(map.yz)), map.yz - 1);
        facet = texelFetch(facets, map.x + texel.y * map.y + texel.x);
    }
    vec3 slope = facet.x * t + facet.y * front * s[0].w * cross(n, t);
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
uniform samplerBuffer sides;                // the number of directions stands beside the box
uniform int tiles_per_row, resolution;
out vec4 result;                            // average of A, of B, covered pixels

void main() {
    int k = int(gl_FragCoord.x), contact = int(gl_FragCoord.y);
    float angle = 6.283185307179586 * float(k) / texelFetch(sides, 10 * contact + 3).z;
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
