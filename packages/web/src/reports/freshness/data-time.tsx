import type { DataFreshness } from '@bi-manager/contract'
import { Box, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { clockName, shortTime, spokenTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { ReportPopover } from '../viewer/toolbar/report-popover.tsx'
import { DataRefresh } from './data-refresh.tsx'
import classes from './data-time.module.css'
import { isUnderWay, type Refreshing } from './use-data-freshness.ts'

interface DataTimeProps {
  freshness: DataFreshness | undefined
  refreshing: Refreshing
  /** False in 'Ver como', which changes nothing. */
  mayRefresh: boolean
  /** The notice of new data is shown; on a phone the popover would cover it. */
  hasNewData: boolean
}

/** 'Dados de 23/11 08:00', and 'Atualizar dados' for people who may refresh them. */
export const DataTime = ({ freshness, refreshing, mayRefresh, hasNewData }: DataTimeProps) => {
  if (!freshness) return null
  const { atualizadosEm } = freshness
  const podeAtualizar = mayRefresh && freshness.podeAtualizar
  if (!atualizadosEm && !podeAtualizar) return null
  return (
    <div className={classes.data}>
      {atualizadosEm && <Time instant={atualizadosEm} />}
      {podeAtualizar && (
        <ReportPopover
          label="Atualizar dados"
          icon={IconDatabaseImport}
          width={20}
          isDisabled={false}
          isBusy={isUnderWay(refreshing.phase)}
          closesOn={hasNewData}
        >
          {() => (
            <>
              <Box component="h2" fz="md" lh={1.35} mb={8}>
                Atualizar dados
              </Box>
              <DataRefresh freshness={freshness} refreshing={refreshing} />
            </>
          )}
        </ReportPopover>
      )}
    </div>
  )
}

/** The time in short; the full date on hover and for screen readers. */
const Time = ({ instant }: { instant: string }) => {
  const full = `Dados de ${spokenTime(instant)} (${clockName})`
  return (
    <Tooltip label={full} openDelay={400} events={{ hover: true, focus: false, touch: true }}>
      <p className={`${shared.smallNote} ${classes.time}`}>
        <span aria-hidden>Dados de {shortTime(instant, serverNow())}</span>
        <VisuallyHidden>{full}</VisuallyHidden>
      </p>
    </Tooltip>
  )
}
