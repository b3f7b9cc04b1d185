// biome-ignore lint/style/noRestrictedImports: several files may be fetched at once
import { useMutation } from '@tanstack/react-query'
import { saveFile } from './save-file.ts'

interface Download<T> {
  /** Fetches the file. */
  download: (of: T) => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  nameOf: (of: T) => string
  onSaved?: (() => void) | undefined
}

/** Fetches a file with the session's token and saves it. */
export const useDownload = <T = void>({ download, nameOf, onSaved }: Download<T>) => {
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: download,
    // The file may contain personal data.
    gcTime: 0,
    onSuccess: (content, of) => {
      saveFile(content, nameOf(of))
      onSaved?.()
    },
  })
  return {
    save: mutate,
    isPending,
    /** The argument of the running download. */
    pending: isPending ? variables : undefined,
    error,
    reset,
  }
}
