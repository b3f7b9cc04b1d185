import { Text } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { DayField } from '../../ui/day-field/day-field.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './medical-records.module.css'

/** Both days included, as yyyy-mm-dd. */
export interface Period {
  de: string
  ate: string
}

interface PeriodFilterProps {
  /** The period in force. */
  period: Period | undefined
  onFilter: (period: Period | undefined) => void
}

const MESSAGE_MS = 2_000

/** The fields De and Até; the list is filtered only when 'Filtrar' is pressed. */
export const PeriodFilter = ({ period, onFilter }: PeriodFilterProps) => {
  const [{ de, ate }, setDays] = useState<Partial<Period>>({})
  const [isRefused, setRefused] = useState(false)
  const [isMissing, showMissing] = useMessageFor(MESSAGE_MS)
  const [wrong, setWrong] = useState(noneWrong)
  /** 'Filtrar' was pressed while a field held a date that does not exist. */
  const [isStopped, setStopped] = useState(false)
  const isWrong = wrong.de || wrong.ate
  // A new key per clearing also resets incomplete and invalid input.
  const [clearings, setClearings] = useState(0)
  const change = (days: Partial<Period>) => {
    setDays({ de, ate, ...days })
    setRefused(false)
  }
  const form = useRef<HTMLFormElement>(null)
  const handleSubmit = () => {
    setStopped(isWrong)
    if (isWrong) return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (!de || !ate) return showMissing()
    setRefused(de > ate)
    if (de <= ate) onFilter({ de, ate })
  }
  return (
    <search aria-label="Período">
      <Form ref={form} onSubmit={handleSubmit} className={classes.filter}>
        <DayField
          key={`de ${clearings}`}
          label="De"
          value={de}
          max={ate}
          error={isRefused ? 'A data inicial é posterior à final.' : undefined}
          onChange={(day) => change({ de: day })}
          onWrong={(de) => setWrong({ ...wrong, de })}
        />
        <DayField
          key={`ate ${clearings}`}
          label="Até"
          value={ate}
          min={de}
          onChange={(day) => change({ ate: day })}
          onWrong={(ate) => setWrong({ ...wrong, ate })}
        />
        <div className={`${shared.buttons} ${classes.filterButtons}`}>
          <ActionButton icon={IconFilter} label="Filtrar" type="submit" />
          {period && (
            <ActionButton
              variant="subtle"
              icon={IconFilterOff}
              label="Limpar período"
              color="gray"
              onClick={() => {
                setDays({})
                setRefused(false)
                setWrong(noneWrong)
                setClearings(clearings + 1)
                onFilter(undefined)
              }}
            />
          )}
        </div>
        <p role="alert" className={classes.missing}>
          {isWrong ? isStopped && wrongText(wrong) : isMissing && !(de && ate) && 'Preencha os dois campos!'}
        </p>
      </Form>
      <Text role="status" c="dimmed" fz="sm" mt="0.625rem">
        {period && `Prontuários de ${textOfDay(period.de)} a ${textOfDay(period.ate)}.`}
      </Text>
    </search>
  )
}

const noneWrong = { de: false, ate: false }

const wrongText = ({ de, ate }: typeof noneWrong): string =>
  de && ate ? 'Corrija as duas datas: elas não existem.' : 'Corrija a data: ela não existe.'
