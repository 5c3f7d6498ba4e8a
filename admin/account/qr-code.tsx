import { encode } from "uqr";

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A text as a code to scan: dark on light in every theme, with the room around it that cameras need. */
export function QrCode({ text, label }: Props) {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width="220">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
