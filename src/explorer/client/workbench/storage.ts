const OURS = "graphiql:";

/** The sizes that GraphiQL begins with, each as a share: answers get more room than what is asked. */
const SIZES: Readonly<Record<string, string>> = {
  "graphiql:editorFlex": "0.55",
  "graphiql:secondaryEditorFlex": "1",
};

/** GraphiQL's "Clear data" clears its whole storage; this one hands it just what is its own. */
export const graphiqlStorage = (storage: Storage) => ({
  getItem: (key: string) => storage.getItem(key) ?? SIZES[key] ?? null,
  setItem: (key: string, value: string) => storage.setItem(key, value),
  removeItem: (key: string) => storage.removeItem(key),
  get length() {
    return storage.length;
  },
  clear: () => {
    for (const key of Object.keys(storage)) if (key.startsWith(OURS)) storage.removeItem(key);
  },
});
