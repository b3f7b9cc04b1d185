import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { counted } from '../../lib/text/counted.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import type { ImportedGroup } from './import-groups.ts'
import classes from './import-reports.module.css'
import { StepHeading } from './step-heading.tsx'

interface ImportedGroupsProps {
  imported: ImportedGroup[]
  onBack: () => void
  onClose: () => void
}

/** The outcome of an import, group by group. */
export const ImportedGroups = ({ imported, onBack, onClose }: ImportedGroupsProps) => {
  const count = imported.reduce((sum, { reports }) => sum + reports.length, 0)
  const failed = imported.filter(({ failure }) => failure !== undefined)
  return (
    <div className={shared.stackMd}>
      <StepHeading>
        {count === 0
          ? 'Nenhum relatório importado.'
          : `${counted(count, 'relatório importado', 'relatórios importados')}!`}
        {failed.length > 0 && ` ${counted(failed.length, 'workspace falhou', 'workspaces falharam')}.`}
      </StepHeading>
      <ul className={`${shared.outlined} ${shared.divided}`} aria-label="Resultado por workspace">
        {imported.map(({ group, reports, failure }) => (
          <li key={group.idGrupo} className={classes.result}>
            {failure === undefined ? (
              <IconCircleCheck size={20} stroke={1.7} aria-hidden className={shared.accent} />
            ) : (
              <IconAlertTriangle size={20} stroke={1.7} aria-hidden className={classes.unreadIcon} />
            )}
            <div className={shared.breakable}>
              <strong>{group.nomeGrupo}</strong>
              {failure !== undefined && <p className={shared.note}>{failure}</p>}
              <ul className={`${shared.note} ${classes.names}`}>
                {reports.map(({ idRelatorio, nomeRelatorio }) => (
                  <li key={idRelatorio}>{nomeRelatorio}</li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
      <div className={shared.buttonsAtEnd}>
        {failed.length > 0 ? (
          <Button variant="default" onClick={onBack}>
            Voltar e corrigir
          </Button>
        ) : (
          <ActionButton label="Ver relatórios" to="/relatorio" />
        )}
        <Button onClick={onClose}>Fechar</Button>
      </div>
    </div>
  )
}
