import type { DataSchedule } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { fullTime } from '../../lib/text/relative-time.ts'

/** How the last run of a schedule went. */
export const ScheduleResult = ({
  last: { em, resultado, frase },
}: {
  last: NonNullable<DataSchedule['ultima']>
}) => {
  const hasFailed = resultado === 'FALHOU'
  return (
    <Alert
      color={hasFailed ? 'red' : 'teal'}
      icon={hasFailed ? <IconAlertTriangle aria-hidden /> : <IconCircleCheck aria-hidden />}
      title={hasFailed ? 'A última troca falhou' : 'Última troca'}
    >
      {fullTime(em)}: {frase}
      {hasFailed && ' Os dados anteriores continuam no ar.'}
    </Alert>
  )
}
