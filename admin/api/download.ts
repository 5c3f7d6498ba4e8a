import { Failure, headersFor, type Reason } from "./post";
import { withToken } from "./request";

/**
 * Saves an export to a file. The token goes in the header. The file is offered when the last byte has come: one that
 * breaks off is never saved.
 *
 * @param progress is told how many bytes have come
 * @throws Failure
 */
export async function download(
  kind: string,
  query: Record<string, unknown>,
  progress: (bytes: number) => void,
): Promise<void> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, `${each as string | number}`]),
  );
  const response = await withToken((token) =>
    asked(`/admin/export/${kind}?${new URLSearchParams(parameters).toString()}`, token),
  );
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      progress((bytes += part.length));
      controller.enqueue(part);
    },
  });
  const blob = await new Response(response.body?.pipeThrough(counted)).blob().catch(() => {
    throw new Failure("shop.export.broke_off", "BROKEN_OFF", undefined);
  });
  const [, name] =
    /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  saveFile(name ?? `${kind}.${query["format"] === "jsonl" ? "jsonl" : "csv"}`, blob);
}

/** Saves what is there as a file of the browser's user. */
export function saveFile(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function asked(address: string, token: string): Promise<Response> {
  const response = await fetch(address, { headers: headersFor(token) }).catch(() => {
    throw new Failure("shop.failures.unreachable", "UNREACHABLE", undefined);
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** What the service has refused in REST's shape. */
export async function refusalOf(response: Response): Promise<Failure> {
  const { status, statusText } = response;
  const body = (await response.json().catch(() => ({}))) as {
    message?: string | string[];
    reasons?: Reason[];
  };
  const code = status === 401 ? "UNAUTHENTICATED" : "REFUSED";
  return new Failure([body.message ?? statusText].flat().join(", "), code, status);
}
