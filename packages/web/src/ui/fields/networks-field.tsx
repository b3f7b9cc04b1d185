import { Textarea, type TextareaProps } from '@mantine/core'
import { OptionalLabel } from './optional-label.tsx'

interface NetworksFieldProps extends Omit<TextareaProps, 'error'> {
  /** Faults of the form: of the list (`redes`), or of one of its entries (`redes.2`). */
  faults: Readonly<Record<string, string | undefined>>
}

/** Optional networks, typed one a line. */
export const NetworksField = ({ label, faults, ...field }: NetworksFieldProps) => (
  <Textarea
    label={<OptionalLabel>{label}</OptionalLabel>}
    placeholder="192.0.2.0/24"
    autosize
    minRows={1}
    maxRows={6}
    autoComplete="off"
    spellCheck={false}
    {...field}
    error={Object.entries(faults).find(([name]) => name === 'redes' || name.startsWith('redes.'))?.[1]}
  />
)
