/** The part of the map that is visible: a point (x, y) in [-1, 1]² is drawn at `center + (x, y) · scale` pixels. */
export type MapView = {
  readonly centerX: number;
  readonly centerY: number;
  readonly scale: number;
};

export type Size = { readonly width: number; readonly height: number };
export type Position = { readonly x: number; readonly y: number };

const MARGIN = 24; // px
const MAX_ZOOM = 40;

/** Show all points. */
export function fitView({ width, height }: Size): MapView {
  const scale = Math.max(Math.min(width, height) / 2 - MARGIN, 1);
  return { centerX: width / 2, centerY: height / 2, scale };
}

/** Zoom so that what is at a pixel stays there; at most 40 times the size that shows everything. */
export function zoomView(view: MapView, factor: number, at: Position, size: Size): MapView {
  const min = fitView(size).scale;
  const scale = Math.min(Math.max(view.scale * factor, min), min * MAX_ZOOM);
  const ratio = scale / view.scale;
  return {
    scale,
    centerX: at.x + (view.centerX - at.x) * ratio,
    centerY: at.y + (view.centerY - at.y) * ratio,
  };
}

export function moveView(view: MapView, dx: number, dy: number): MapView {
  return { ...view, centerX: view.centerX + dx, centerY: view.centerY + dy };
}

export function toPixels({ centerX, centerY, scale }: MapView, { x, y }: Position): Position {
  return { x: centerX + x * scale, y: centerY + y * scale };
}

/** The point nearest to a pixel, at most `radius` pixels away; null if there is none. */
export function nearestPoint<Point extends Position>(
  points: readonly Point[],
  view: MapView,
  at: Position,
  radius: number,
): Point | null {
  let nearest: Point | null = null;
  let best = radius ** 2;
  for (const point of points) {
    const pixel = toPixels(view, point);
    const distance = (pixel.x - at.x) ** 2 + (pixel.y - at.y) ** 2;
    if (distance > best) continue;
    best = distance;
    nearest = point;
  }
  return nearest;
}
