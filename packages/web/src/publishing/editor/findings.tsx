import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import classes from './editor.module.css'
import { placeIn } from './place-in.ts'

interface FindingsProps {
  result: { erros: string[]; avisos: string[] } | undefined
  isChecking?: boolean
  /** Said when the check found nothing. */
  passed?: string
  /** The heading above errors. */
  refused?: string
  /** Leads to the place that a sentence names. */
  onPlace?: (sentence: string) => void
}

/** What a check found. */
export const Findings = ({
  result,
  isChecking = false,
  passed = 'Conferido: nenhum erro.',
  refused = 'Corrija antes de publicar',
  onPlace,
}: FindingsProps) => {
  if (!result) return isChecking ? <p className={shared.note}>Conferindo…</p> : null
  const { erros, avisos } = result
  if (erros.length === 0 && avisos.length === 0)
    return (
      <p className={`${shared.row} ${shared.note}`}>
        <IconCircleCheck size={18} aria-hidden className={shared.accent} />
        {isChecking ? 'Conferindo…' : passed}
      </p>
    )
  return (
    <>
      {erros.length > 0 && <Sentences color="red" title={refused} sentences={erros} onPlace={onPlace} />}
      {avisos.length > 0 && <Sentences color="yellow" title="Avisos" sentences={avisos} onPlace={onPlace} />}
    </>
  )
}

interface SentencesProps {
  color: string
  title: string
  sentences: string[]
  onPlace: FindingsProps['onPlace']
}

const Sentences = ({ color, title, sentences, onPlace }: SentencesProps) => (
  <Alert color={color} icon={<IconAlertTriangle aria-hidden />} title={title}>
    <ul className={classes.findings}>
      {sentences.map((sentence) => (
        <li key={sentence}>
          {sentence}{' '}
          {onPlace && placeIn(sentence) && (
            <ActionButton size="compact-xs" label="Ir para a linha" onClick={() => onPlace(sentence)} />
          )}
        </li>
      ))}
    </ul>
  </Alert>
)
