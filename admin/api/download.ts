import { Failure } from "./post";
import { requestFile } from "./request";

/** Saves an export to a file when its last byte has come: one that breaks off is never saved. @throws Failure */
export async function download(
  kind: string,
  query: Record<string, unknown>,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, `${each as string | number}`]),
  );
  const path = `/admin/export/${kind}?${new URLSearchParams(parameters).toString()}`;
  const response = await requestFile(path, { signal });
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      progress((bytes += part.length));
      controller.enqueue(part);
    },
  });
  const blob = await new Response(response.body?.pipeThrough(counted)).blob().catch(() => {
    throw new Failure("BROKEN_OFF", "export.broke_off");
  });
  const named = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "");
  saveFile(named?.[1] ?? kind, blob);
}

export function saveFile(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
