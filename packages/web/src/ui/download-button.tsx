import { Popover, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { messageOf } from '../lib/api/api.ts'
import { useDownload } from '../lib/browser/use-download.ts'
import { Button } from './button.tsx'

interface DownloadButtonProps {
  label: string
  /** Fetches the file. */
  download: () => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  fileName: string
  disabled?: boolean
  onSaved?: () => void
}

/** Downloads a file, and shows a failure in a popover. */
export const DownloadButton = ({
  label,
  download,
  fileName,
  disabled = false,
  onSaved,
}: DownloadButtonProps) => {
  const { save, isPending, error, reset } = useDownload({ download, nameOf: () => fileName, onSaved })
  return (
    <Popover
      opened={error !== null}
      onChange={(opened) => !opened && reset()}
      width={280}
      withArrow
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={isPending}
          disabled={disabled}
          onClick={() => save()}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="alert">
        <Text size="sm">O arquivo não pôde ser baixado. {messageOf(error)}</Text>
      </Popover.Dropdown>
    </Popover>
  )
}
