/** Milliseconds that a browser may take to begin a download. */
const PATIENCE = 60_000;

/** Saves pieces of text as one file, as a download. */
export function saveFile(name: string, type: string, pieces: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}
