import { USAGE_DAYS } from '@bi-manager/contract'
import { SegmentedControl } from '@mantine/core'
import { type UsageDays, usageDaysOf } from './usage-queries.ts'

const periods = USAGE_DAYS.map((days) => ({
  value: String(days),
  label: days === 365 ? '12 meses' : `${days} dias`,
}))

interface PeriodControlProps {
  days: UsageDays
  onChoose: (days: UsageDays) => void
}

/** The choice of a period up to today. */
export const PeriodControl = ({ days, onChoose }: PeriodControlProps) => (
  <SegmentedControl
    aria-label="Período"
    data={periods}
    value={String(days)}
    onChange={(chosen) => onChoose(usageDaysOf(chosen))}
  />
)
