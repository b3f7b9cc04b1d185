import type { AuditEntry } from '@bi-manager/contract'
import { Anchor, Button, Modal } from '@mantine/core'
import { IconBraces, IconCube, IconUser } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { clockName, exactTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import shared from '../../ui/shared.module.css'
import classes from './audit.module.css'
import { actionText, personText } from './audit-texts.ts'
import { type ChangedField, changedFields, type DetailValue, otherFields } from './detail-fields.ts'
import { ObjectName } from './object-name.tsx'
import type { AuditFilter } from './use-audit-filter.ts'

interface AuditDetailsProps {
  /** Undefined closes the dialog. */
  entry: AuditEntry | undefined
  onClose: () => void
  /** Filters the list by the entry's user or object. */
  onNarrow: (changes: AuditFilter) => void
}

export const AuditDetails = ({ entry, onClose, onNarrow }: AuditDetailsProps) => {
  const { shown } = useDialogTarget(entry)
  const narrow = (changes: AuditFilter) => {
    onClose()
    onNarrow(changes)
  }
  return (
    <Modal
      opened={entry !== undefined}
      onClose={onClose}
      title={shown ? actionText(shown.acao) : ''}
      size="44rem"
      centered
      closeButtonProps={{ 'aria-label': 'Fechar detalhes', size: 'lg' }}
    >
      {shown && <Details key={shown.idAuditoria} entry={shown} onNarrow={narrow} />}
    </Modal>
  )
}

const Details = ({ entry, onNarrow }: { entry: AuditEntry; onNarrow: (changes: AuditFilter) => void }) => {
  const { idUsuario, objeto, detalhes } = entry
  const [isRaw, setRaw] = useState(false)
  const changes = changedFields(entry)
  const facts: { field?: string; label: string; value: ReactNode }[] = [
    { label: `Quando (${clockName})`, value: exactTime(entry.quando) },
    { label: 'Quem', value: personText(entry) },
    { label: 'Objeto', value: <ObjectName {...entry} /> },
    ...otherFields(entry).map(({ field, label, value }) => ({
      field,
      label,
      value: <Value value={value} />,
    })),
    { label: 'Endereço', value: entry.endereco ?? '—' },
    { label: 'Registro', value: `nº ${entry.idAuditoria}` },
    { label: 'Requisição', value: entry.idRequisicao ?? '—' },
  ]
  return (
    <div className={shared.stackLg}>
      <dl className={`${shared.facts} ${classes.facts}`}>
        {facts.map(({ field, label, value }) => (
          <div key={field ?? `fato ${label}`}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && <Changes changes={changes} />}
      {isRaw && (
        <pre className={`${shared.outlined} ${classes.raw}`}>{JSON.stringify(detalhes, null, 2)}</pre>
      )}
      <div className={shared.buttons}>
        {idUsuario !== null && (
          <ActionButton icon={IconUser} label="Tudo desta pessoa" onClick={() => onNarrow({ idUsuario })} />
        )}
        {objeto && (
          <ActionButton icon={IconCube} label="Tudo deste objeto" onClick={() => onNarrow({ objeto })} />
        )}
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isRaw}
          leftSection={<IconBraces size={17} aria-hidden />}
          onClick={() => setRaw(!isRaw)}
        >
          {isRaw ? 'Ocultar JSON' : 'Ver JSON'}
        </Button>
      </div>
    </div>
  )
}

/** The changed fields before and after; one column only for created or deleted entities. */
const Changes = ({ changes }: { changes: ChangedField[] }) => {
  const hasBefore = changes.some(({ before }) => before !== undefined)
  const hasAfter = changes.some(({ after }) => after !== undefined)
  return (
    <table className={`${shared.table} ${classes.changes}`}>
      <thead>
        <tr>
          <th scope="col">Campo</th>
          {hasBefore && <th scope="col">Antes</th>}
          {hasAfter && <th scope="col">Depois</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, label, before, after }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            {hasBefore && (
              <td data-label="Antes">
                <Value value={before} />
              </td>
            )}
            {hasAfter && (
              <td data-label="Depois">
                <Value value={after} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Value = ({ value = '—' }: { value: DetailValue | undefined }) =>
  typeof value === 'string'
    ? value
    : value.map(({ key, text, path }, at) => (
        <Fragment key={key}>
          {at > 0 && ', '}
          {path ? (
            <Anchor component={Link} to={path} fz="inherit">
              {text}
            </Anchor>
          ) : (
            text
          )}
        </Fragment>
      ))
