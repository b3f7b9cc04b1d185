import type { AuditEntry } from '@bi-manager/contract'
import { Button, Modal } from '@mantine/core'
import { IconBraces, IconCube, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './audit.module.css'
import { actionText, momentText, objectText, personText } from './audit-texts.ts'
import { type ChangedField, changedFields, otherFields } from './detail-fields.ts'
import type { AuditFilter } from './use-audit-filter.ts'

interface AuditDetailsProps {
  /** Undefined closes the dialog. */
  entry: AuditEntry | undefined
  onClose: () => void
  /** Shows everything of this person, or about this object. */
  onNarrow: (changes: AuditFilter) => void
}

export const AuditDetails = ({ entry, onClose, onNarrow }: AuditDetailsProps) => {
  const [shown, setShown] = useState(entry)
  if (entry && entry !== shown) setShown(entry)
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
  const changes = changedFields(detalhes)
  const facts = [
    { label: 'Quando', value: momentText(entry.quando) },
    { label: 'Quem', value: personText(entry) },
    { label: 'Objeto', value: objectText(objeto) },
    ...otherFields(detalhes),
    { label: 'Endereço', value: entry.endereco ?? '—' },
    { label: 'Registro', value: `nº ${entry.idAuditoria}` },
    { label: 'Requisição', value: entry.idRequisicao ?? '—' },
  ]
  return (
    <div className={classes.details}>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && <Changes changes={changes} />}
      {isRaw && <pre className={classes.raw}>{JSON.stringify(detalhes, null, 2)}</pre>}
      <div className={classes.links}>
        {idUsuario !== null && (
          <Button
            variant="default"
            leftSection={<IconUser size={17} aria-hidden />}
            onClick={() => onNarrow({ idUsuario })}
          >
            Tudo desta pessoa
          </Button>
        )}
        {objeto && (
          <Button
            variant="default"
            leftSection={<IconCube size={17} aria-hidden />}
            onClick={() => onNarrow({ objeto })}
          >
            Tudo deste objeto
          </Button>
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

/** Field by field, before and after; only one of them for what was made or is gone. */
const Changes = ({ changes }: { changes: ChangedField[] }) => {
  const hasBefore = changes.some(({ before }) => before !== undefined)
  const hasAfter = changes.some(({ after }) => after !== undefined)
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">Campo</th>
          {hasBefore && <th scope="col">Antes</th>}
          {hasAfter && <th scope="col">Depois</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {hasBefore && <td data-label="Antes">{before ?? '—'}</td>}
            {hasAfter && <td data-label="Depois">{after ?? '—'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
