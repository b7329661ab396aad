import { expect, test } from "vitest";
import { fitView, moveView, nearestPoint, toPixels, zoomView } from "./mapView";

const SIZE = { width: 400, height: 300 };

test("all points are visible at first", () => {
  const view = fitView(SIZE);
  expect(toPixels(view, { x: 0, y: 0 })).toEqual({ x: 200, y: 150 });
  expect(toPixels(view, { x: -1, y: 1 })).toEqual({ x: 74, y: 276 });
});

test("zooming keeps what is at the pointer in place, and has limits", () => {
  const at = { x: 100, y: 50 };
  const zoomed = zoomView(fitView(SIZE), 2, at, SIZE);
  const before = { x: (at.x - 200) / 126, y: (at.y - 150) / 126 };
  expect(toPixels(zoomed, before).x).toBeCloseTo(at.x);
  expect(toPixels(zoomed, before).y).toBeCloseTo(at.y);
  expect(zoomView(zoomed, 0.001, at, SIZE).scale).toBe(126);
  expect(zoomView(zoomed, 1_000, at, SIZE).scale).toBe(126 * 40);
});

test("the nearest point within the radius is found, also after moving the map", () => {
  const points = [
    { id: "a", x: 0, y: 0 },
    { id: "b", x: 0.5, y: 0 },
  ];
  const view = fitView(SIZE);
  expect(nearestPoint(points, view, { x: 205, y: 152 }, 10)?.id).toBe("a");
  expect(nearestPoint(points, moveView(view, -63, 0), { x: 205, y: 152 }, 10)?.id).toBe("b");
  expect(nearestPoint(points, view, { x: 300, y: 20 }, 10)).toBeNull();
});
