import { type AuditEntry, auditedNameText, auditedNumberText } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import classes from './audit.module.css'
import { objectPath } from './object-path.ts'

interface ObjectNameProps {
  objeto: string | null
  /** Of the entry that speaks of it. */
  nomes: AuditEntry['nomes']
}

/** What a record is about, by name, with the way to it and, below, its number. */
export const ObjectName = ({ objeto, nomes }: ObjectNameProps) => {
  if (!objeto) return '—'
  const name = nomes[objeto]
  const text = auditedNameText(objeto, name) ?? objeto
  const path = objectPath(objeto, name)
  const number = auditedNumberText(objeto)
  return (
    <>
      {path ? (
        <Anchor component={Link} to={path} className={classes.object}>
          {text}
        </Anchor>
      ) : (
        text
      )}
      {number && name?.nome && <span className={classes.number}>{number}</span>}
    </>
  )
}
