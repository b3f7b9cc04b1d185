/** A file with its path in what was chosen: 'vendas/dataset.json', or its name alone. */
export interface ChosenFile {
  path: string
  file: File
}

/** A whole disk dropped by mistake must not be read to its end. */
const MAX_ENTRIES = 1_000

/** Returns files of a file dialog; those of a folder have its name in their paths. */
export const filesOfList = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/**
 * Returns the dropped files, also those inside of folders. Call it during the event: the browser
 * empties the list afterwards.
 */
export const filesOfDrop = async ({ items, files }: DataTransfer): Promise<ChosenFile[]> => {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (entries.length === 0) return filesOfList(files)
  const found: ChosenFile[] = []
  for (const entry of entries) await collect(entry, found)
  return found
}

const collect = async (entry: FileSystemEntry, found: ChosenFile[]): Promise<void> => {
  if (found.length >= MAX_ENTRIES) return
  if (isFolder(entry)) {
    for (const inner of await entriesOf(entry)) await collect(inner, found)
    return
  }
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  )
  found.push({ path: entry.fullPath.replace(/^\//, ''), file })
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** The browser returns a folder's entries in parts, the last one empty. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0 || all.length >= MAX_ENTRIES) return all
    all.push(...part)
  }
}
