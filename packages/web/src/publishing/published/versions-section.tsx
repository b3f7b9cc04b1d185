import type { PublishedReport, ReportVersion } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clockName } from '../../lib/text/relative-time.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import classes from './published.module.css'
import { versionsQuery } from './published-queries.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { versionFacts } from './version-texts.ts'

/** The kept versions of a report, each of which can be restored. */
export const VersionsSection = ({ report }: { report: PublishedReport }) => {
  const { data: versions, error, isFetching, refetch } = useQuery(versionsQuery(report.reportId))
  const [restoring, setRestoring] = useState<ReportVersion>()
  const [restored, setRestored] = useState<string>()
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="versoes">
      <div>
        <h2 id="versoes" className={shared.subheading}>
          Versões
        </h2>
        <p className={shared.underHeading}>
          Ficam as 20 últimas que mudaram a definição e as 10 últimas que só trocaram os dados. As horas são
          as do {clockName}.
        </p>
      </div>
      <p role="status" className={restored ? shared.note : shared.screenReaderOnly}>
        {restored}
      </p>
      {versions?.length === 0 && (
        <InlineMessage icon={IconHistory}>
          Ainda não há versões. A primeira é guardada na próxima publicação deste relatório.
        </InlineMessage>
      )}
      {versions && versions.length > 0 && (
        <ol className={shared.divided} reversed>
          {versions.map((version, at) => (
            <VersionRow
              key={version.numero}
              version={version}
              isCurrent={at === 0}
              onRestore={() => setRestoring(version)}
            />
          ))}
        </ol>
      )}
      {!versions && !error && (
        <div role="status" aria-label="Carregando as versões">
          <Skeleton height={120} radius="lg" />
        </div>
      )}
      {error && <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />}
      <RestoreDialog
        report={report}
        version={restoring}
        onClose={() => setRestoring(undefined)}
        onRestored={({ numero }) => setRestored(`A versão ${numero} foi restaurada como uma versão nova.`)}
      />
    </section>
  )
}

interface VersionRowProps {
  version: ReportVersion
  isCurrent: boolean
  onRestore: () => void
}

const VersionRow = ({ version, isCurrent, onRestore }: VersionRowProps) => (
  <li className={classes.version}>
    <div className={shared.breakable}>
      <h3 className={classes.versionName}>
        Versão {version.numero}{' '}
        {isCurrent && <span className={`${shared.active} ${shared.mark}`}>atual</span>}
      </h3>
      {version.mudancas.map((change) => (
        <p key={change}>{change}</p>
      ))}
      <p className={shared.smallNote}>
        {versionFacts(version)}
        {version.dados === 'AUSENTES' && '. Só a definição está guardada'}
      </p>
    </div>
    {!isCurrent && (
      <Button
        variant="default"
        size="xs"
        aria-label={`Restaurar a versão ${version.numero}`}
        onClick={onRestore}
      >
        Restaurar
      </Button>
    )}
  </li>
)
