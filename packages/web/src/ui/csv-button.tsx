import { Button, Popover, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../lib/api.ts'
import { saveFile } from '../lib/save-file.ts'

interface CsvButtonProps {
  /** The export call, with the search and order on the screen. */
  download: () => Promise<Blob>
  /** Such as 'workspaces.csv'. */
  fileName: string
  /** What is on the screen makes no list. */
  disabled?: boolean
}

/** 'Exportar CSV': fetches with the session's token, then saves. */
export const CsvButton = ({ download, fileName, disabled = false }: CsvButtonProps) => {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: download,
    networkMode: 'always',
    onSuccess: (content) => saveFile(content, fileName),
  })
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
          onClick={() => mutate()}
        >
          Exportar CSV
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="alert">
        <Text size="sm">O arquivo não pôde ser baixado. {messageOf(error)}</Text>
        <Button mt="sm" size="xs" variant="default" onClick={() => mutate()}>
          Tentar novamente
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
