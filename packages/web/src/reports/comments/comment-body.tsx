import type { Comment } from '@bi-manager/contract'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../lib/session/session.ts'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import classes from './comments.module.css'
import { partsOf } from './mention-text.ts'

interface CommentBodyProps {
  comment: Comment
  /** The form in place of the text; `close` ends it. */
  editor: (close: () => void) => ReactNode
  onDelete: () => void
}

/** A comment or a reply: who wrote it, when, and its text. */
export const CommentBody = ({ comment, editor, onDelete }: CommentBodyProps) => {
  const { autor, criadoEm, editadoEm, excluido, proprio } = comment
  const [isEditing, setEditing] = useState(false)
  const isAdmin = useSession()?.tipo === 'ADMIN'
  const now = useNow()
  const name = autor ?? 'Pessoa excluída'
  if (excluido) return <p className={shared.note}>Este comentário foi excluído.</p>
  return (
    <div className={classes.comment}>
      <div className={classes.author}>
        <PersonAvatar name={name} id={colourOf(name)} size="sm" />
        <div className={shared.fills}>
          <div className={classes.name}>
            {name}
            {proprio && <span className={shared.dimmed}> (você)</span>}
          </div>
          <div className={shared.smallNote}>
            <time dateTime={criadoEm} title={fullTime(criadoEm)}>
              {relativeTime(criadoEm, now)}
            </time>
            {editadoEm && <span title={fullTime(editadoEm)}> · editado</span>}
          </div>
        </div>
        {(proprio || isAdmin) && !isEditing && (
          // No portal: a menu outside of the panel would be behind the drawer of a phone.
          <Menu position="bottom-end" shadow="md" withinPortal={false} floatingStrategy="fixed" returnFocus>
            <Menu.Target>
              <ActionIcon aria-label={`Ações do comentário de ${name}`}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {proprio && <Menu.Item onClick={() => setEditing(true)}>Editar</Menu.Item>}
              <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
                Excluir
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {isEditing ? editor(() => setEditing(false)) : <CommentText comment={comment} />}
    </div>
  )
}

const CommentText = ({ comment }: { comment: Comment }) => {
  let at = 0
  return (
    <p className={classes.text}>
      {partsOf(comment).map(({ text, isMention }) => {
        const key = at
        at += text.length
        return isMention ? (
          <span key={key} className={classes.mention}>
            {text}
          </span>
        ) : (
          text
        )
      })}
    </p>
  )
}

/** The answers name no ids of their writers. */
const colourOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
