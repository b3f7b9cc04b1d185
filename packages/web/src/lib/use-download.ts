import { useMutation } from '@tanstack/react-query'
import { saveFile } from './save-file.ts'

interface Download<T> {
  /** The call that answers the file. */
  download: (of: T) => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  nameOf: (of: T) => string
  onSaved?: (() => void) | undefined
}

/** Fetches a file with the session's token, then saves it. */
export const useDownload = <T = void>({ download, nameOf, onSaved }: Download<T>) => {
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: download,
    networkMode: 'always',
    // What it holds may be somebody's records.
    gcTime: 0,
    onSuccess: (content, of) => {
      saveFile(content, nameOf(of))
      onSaved?.()
    },
  })
  return {
    save: mutate,
    isPending,
    /** Which one is on its way. */
    pending: isPending ? variables : undefined,
    error,
    reset,
  }
}
