import { ActionIcon, Group, Text, Textarea, Tooltip } from '@mantine/core'
import { type Icon, IconBold, IconItalic, IconLink, IconList } from '@tabler/icons-react'
import { useRef } from 'react'
import { type Mark, withMark } from './with-mark.ts'

interface MarkedTextFieldProps {
  label: string
  maxLength: number
  name: string
  value: string
  onChange: (text: string) => void
  error?: string | undefined
}

const marks: Record<Mark, { label: string; icon: Icon }> = {
  bold: { label: 'Negrito', icon: IconBold },
  italic: { label: 'Itálico', icon: IconItalic },
  list: { label: 'Lista', icon: IconList },
  link: { label: 'Link', icon: IconLink },
}

/** A text with buttons that mark what is selected. */
export const MarkedTextField = ({ label, maxLength, name, value, onChange, error }: MarkedTextFieldProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const apply = (mark: Mark) => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    const marked = withMark({ text: value, start: selectionStart, end: selectionEnd }, mark)
    if (marked.text.length > maxLength) return
    onChange(marked.text)
    // Once React has written the text.
    setTimeout(() => {
      field.current?.focus()
      field.current?.setSelectionRange(marked.start, marked.end)
    }, 0)
  }
  return (
    <div>
      <Textarea
        ref={field}
        label={label}
        description={
          <>
            Negrito **assim**, itálico *assim*, listas com - no começo da linha, links{' '}
            <Text span inherit style={{ whiteSpace: 'nowrap' }}>
              [texto](https://…)
            </Text>
            .
          </>
        }
        autosize
        minRows={4}
        maxRows={14}
        maxLength={maxLength}
        name={name}
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="0.25rem" mt="0.375rem" role="group" aria-label="Formatar o texto">
        {Object.entries(marks).map(([mark, { label: name, icon: IconOf }]) => (
          <Tooltip key={mark} label={name} openDelay={300} portalProps={{ target: '#conteudo' }}>
            <ActionIcon variant="default" size="lg" aria-label={name} onClick={() => apply(mark as Mark)}>
              <IconOf size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    </div>
  )
}
