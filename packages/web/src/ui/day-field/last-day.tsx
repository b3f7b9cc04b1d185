import { Button as PlainButton } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { daysUntil } from '../../lib/text/relative-time.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { FormAnswers } from '../dialog/form-answers.tsx'
import { ErrorAlert } from '../error-alert.tsx'
import { Form } from '../form.tsx'
import shared from '../shared.module.css'
import { DayField } from './day-field.tsx'
import { textOfDay } from './day-text.ts'

interface LastDayProps {
  /** The person or the report. */
  name: string
  /** yyyy-mm-dd; null: no end. */
  day: string | null
  title: string
  /** What happens at the end of the day. */
  note: string
  save: (day: string | null) => Promise<unknown>
  onSaved: () => void
}

/** The last day of an access, as a button that opens a dialog to change it. */
export const LastDay = ({ name, day, title, ...form }: LastDayProps) => {
  const [isOpen, setOpen] = useState(false)
  const isOver = hasPassed(day)
  const text = day === null ? 'Sem prazo' : `${isOver ? 'Venceu em' : 'Até'} ${textOfDay(day)}`
  return (
    <>
      <PlainButton
        variant="subtle"
        color={isOver ? 'red' : 'gray'}
        size="compact-sm"
        aria-label={`Prazo de ${name}: ${text}`}
        leftSection={<IconCalendarTime size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text}
      </PlainButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={title}>
        <LastDayForm name={name} day={day} {...form} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** Whether the last day (yyyy-mm-dd) is over. */
export const hasPassed = (day: string | null): boolean => day !== null && daysUntil(day, serverNow()) < 0

const LastDayForm = ({
  name,
  day: before,
  note,
  save,
  onSaved,
  onClose,
}: Omit<LastDayProps, 'title'> & { onClose: () => void }) => {
  const [day, setDay] = useState(before ?? undefined)
  const [isWrong, setWrong] = useState(false)
  const saving = useSubmission(
    () => save(day ?? null),
    () => {
      onSaved()
      onClose()
    },
  )
  return (
    <Form onSubmit={() => !isWrong && saving.submit()} className={shared.stackLg}>
      <p className={shared.breakable}>
        <strong>{name}</strong>
      </p>
      <DayField
        label="Último dia"
        value={day}
        error={saving.faults.validoAte}
        onWrong={setWrong}
        onChange={(next) => {
          saving.forget()
          setDay(next)
        }}
      />
      <p className={shared.note}>{note}</p>
      <ErrorAlert error={saving.problem} />
      <FormAnswers submit="Gravar prazo" isPending={saving.isPending} onCancel={onClose} />
    </Form>
  )
}
