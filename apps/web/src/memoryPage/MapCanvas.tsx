import { useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
import type { MapPoint, MemoryId } from "../api/types";
import { useStrings } from "../strings";
import { drawMap, type MapColors } from "./mapDrawing";
import {
  fitView,
  moveView,
  nearestPoint,
  zoomView,
  type MapView,
  type Position,
  type Size,
} from "./mapView";

const ZOOM_STEP = 1.5;
const SELECT_RADIUS = 14; // px
const DRAG_THRESHOLD = 4; // px

type Props = {
  points: readonly MapPoint[];
  highlighted: ReadonlySet<MemoryId>;
  selected: MemoryId | null;
  onSelect: (point: MapPoint | null) => void;
};

export function MapCanvas({ points, highlighted, selected, onSelect }: Props) {
  const { memoryPage: strings } = useStrings();
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const [moved, setMoved] = useState<MapView | null>(null);
  const view = moved ?? fitView(size);
  const drag = useDrag((dx, dy) => setMoved(moveView(view, dx, dy)));

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = window.devicePixelRatio;
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colors = readColors(element);
    drawMap(context, { points, view, size, colors, highlighted, selected });
  });

  const zoom = (factor: number, at: Position = { x: size.width / 2, y: size.height / 2 }) =>
    setMoved(zoomView(view, factor, at, size));
  useWheel(canvas, (delta, at) => zoom(Math.exp(-delta / 400), at));

  return (
    <div className="map-frame">
      <canvas
        ref={canvas}
        className="map-canvas"
        role="img"
        aria-label={strings.map(points.length)}
        title={strings.mapHint}
        onPointerDown={drag.start}
        onPointerMove={drag.move}
        onPointerUp={(event) => {
          if (drag.end()) return;
          const at = { x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY };
          onSelect(nearestPoint(points, view, at, SELECT_RADIUS));
        }}
      />
      <div className="map-controls">
        <button type="button" className="button button-small" onClick={() => zoom(ZOOM_STEP)}>
          {strings.zoomIn}
        </button>
        <button type="button" className="button button-small" onClick={() => zoom(1 / ZOOM_STEP)}>
          {strings.zoomOut}
        </button>
        <button type="button" className="button button-small" onClick={() => setMoved(null)}>
          {strings.showAll}
        </button>
      </div>
    </div>
  );
}

/** The size of an element in CSS pixels, updated when it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** React's wheel listeners are passive, so that they cannot keep the page from scrolling. */
function useWheel(
  element: RefObject<HTMLElement | null>,
  onWheel: (delta: number, at: Position) => void,
) {
  const listener = useRef(onWheel);
  useEffect(() => {
    listener.current = onWheel;
  });
  useEffect(() => {
    const target = element.current;
    const listen = (event: WheelEvent) => {
      event.preventDefault();
      listener.current(event.deltaY, { x: event.offsetX, y: event.offsetY });
    };
    target?.addEventListener("wheel", listen, { passive: false });
    return () => target?.removeEventListener("wheel", listen);
  }, [element]);
}

function useDrag(onMove: (dx: number, dy: number) => void) {
  const last = useRef<(Position & { moved: number }) | null>(null);
  return {
    start: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY, moved: 0 };
    },
    move: (event: PointerEvent) => {
      if (last.current === null) return;
      const { x, y, moved } = last.current;
      const [dx, dy] = [event.clientX - x, event.clientY - y];
      last.current = { x: event.clientX, y: event.clientY, moved: moved + Math.hypot(dx, dy) };
      onMove(dx, dy);
    },
    /** Returns whether the pointer moved, so that it was no click. */
    end: () => {
      const moved = last.current?.moved ?? 0;
      last.current = null;
      return moved > DRAG_THRESHOLD;
    },
  };
}

/** The colours of the legend, which follow the theme; a canvas cannot use custom properties. */
function readColors(element: HTMLElement): MapColors {
  const style = getComputedStyle(element);
  return {
    user: style.color,
    procedural: style.borderBlockStartColor,
    episodic: style.borderBlockEndColor,
    highlight: style.outlineColor,
  };
}
