import { DownloadButton } from './download-button.tsx'

interface CsvButtonProps {
  /** The export call, with the search and order on the screen. */
  download: () => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  fileName: string
  /** What is on the screen makes no list. */
  disabled?: boolean
}

/** 'Exportar CSV' of a list. */
export const CsvButton = (props: CsvButtonProps) => <DownloadButton label="Exportar CSV" {...props} />
