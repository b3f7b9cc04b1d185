import { type AuditEntry, auditedNameText, auditedNumberText, ownValue } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import shared from '../../ui/shared.module.css'
import { objectPath } from './object-path.ts'

interface ObjectNameProps {
  objeto: string | null
  /** The names contained in the audit entry. */
  nomes: AuditEntry['nomes']
}

/** An entry's object by name, with a link to it and its number below. */
export const ObjectName = ({ objeto, nomes }: ObjectNameProps) => {
  if (!objeto) return '—'
  const name = ownValue(nomes, objeto)
  const text = auditedNameText(objeto, name) ?? objeto
  const path = objectPath(objeto, name)
  const number = auditedNumberText(objeto)
  return (
    <>
      {path ? (
        <Anchor component={Link} to={path} fz="inherit">
          {text}
        </Anchor>
      ) : (
        text
      )}
      {number && name?.nome && <span className={shared.detail}>{number}</span>}
    </>
  )
}
