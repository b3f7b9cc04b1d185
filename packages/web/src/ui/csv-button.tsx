import { DownloadButton } from './download-button.tsx'

interface CsvButtonProps {
  /** Calls the export with the current search and order. */
  download: () => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  fileName: string
  /** True while the screen shows nothing to export. */
  disabled?: boolean
}

/** The 'Exportar CSV' button of a list. */
export const CsvButton = (props: CsvButtonProps) => <DownloadButton label="Exportar CSV" {...props} />
