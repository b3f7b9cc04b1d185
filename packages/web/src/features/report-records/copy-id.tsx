import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './copy-id.module.css'

interface CopyIdProps {
  id: string
  /** Of the button: 'Copiar Report ID de Sinistralidade'. */
  label: string
}

/** An external id in full, with a button that copies it. */
export const CopyId = ({ id, label }: CopyIdProps) => {
  const { copy, copied, error } = useClipboard({ timeout: 2_000 })
  const result = error ? 'O navegador não deixou copiar. Selecione o texto e copie.' : copied ? 'Copiado' : ''
  return (
    <span className={classes.id}>
      <span className={classes.text}>{id}</span>
      <Tooltip label={result || 'Copiar'} openDelay={result ? 0 : 300} opened={result ? true : undefined}>
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          aria-label={label}
          onClick={() => copy(id)}
        >
          {copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} stroke={1.7} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <span role="status" className={classes.forReaders}>
        {result}
      </span>
    </span>
  )
}
