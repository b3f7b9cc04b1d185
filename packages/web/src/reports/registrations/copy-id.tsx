import { ActionIcon, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'

interface CopyIdProps {
  id: string
  /** The button's label: 'Copiar Report ID de Sinistralidade'. */
  label: string
}

const COPIED = 'Copiado'

/** A provider id with a button that copies it. */
export const CopyId = ({ id, label }: CopyIdProps) => {
  const [outcome, setOutcome] = useState('')
  const [isShown, show] = useMessageFor(2_000)
  const result = isShown ? outcome : ''
  const isCopied = result === COPIED
  const say = (text: string) => {
    setOutcome(text)
    show()
  }
  const copy = () =>
    copyText(id).then(
      () => say(COPIED),
      () => say('O navegador não deixou copiar. Selecione o texto e copie.'),
    )
  return (
    <Group component="span" gap="0.25rem" wrap="nowrap">
      <Text component="span" fz="xs" ff="monospace" className={shared.breakable}>
        {id}
      </Text>
      <Tooltip
        label={result || 'Copiar'}
        openDelay={result ? 0 : 300}
        opened={result ? true : undefined}
        portalProps={{ target: '#conteudo' }}
      >
        <ActionIcon
          variant="subtle"
          color={isCopied ? 'teal' : 'gray'}
          aria-label={label}
          onClick={() => void copy()}
        >
          {isCopied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} stroke={1.7} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{result}</VisuallyHidden>
    </Group>
  )
}
