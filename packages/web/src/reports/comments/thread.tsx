import { type Comment, type CommentThread, commentsApi } from '@bi-manager/contract'
import { IconArrowBackUp, IconCheck, IconChevronDown, IconChevronUp, IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { counted } from '../../lib/text/counted.ts'
import { fullTime, relativeTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { useNow } from '../../ui/use-now.ts'
import { callFailureSentence } from '../viewer/problems/embed-problem.ts'
import { CommentBody } from './comment-body.tsx'
import { CommentForm } from './comment-form.tsx'
import classes from './comments.module.css'
import { repliesQuery, rereadComments } from './comments-queries.ts'
import { draftOfComment } from './mention-text.ts'

interface ThreadProps {
  thread: CommentThread
  idRelatorio: number
  /** Whether its replies are shown at once. */
  isAlone?: boolean
  /** Applies what the report showed when the thread began. */
  showState: (thread: CommentThread) => Promise<void>
  onDelete: (comment: Comment) => void
  /** Called with a sentence for screen readers. */
  onDone: (sentence: string) => void
}

/** A thread: its first comment, what the report showed, its replies and its state. */
export const Thread = (props: ThreadProps) => {
  const { thread, idRelatorio, isAlone = false, showState, onDelete, onDone } = props
  const { idComentario, respostas, resolvidoEm, resolvidoPor, visto, excluido } = thread
  const client = useQueryClient()
  const now = useNow()
  const [isExpanded, setExpanded] = useState(isAlone)
  const [isReplying, setReplying] = useState(false)
  const reread = () => rereadComments(client, idRelatorio)
  const isResolved = resolvidoEm !== null

  const resolving = useExclusiveMutation({
    mutationFn: async (resolvido: boolean) => {
      await call(commentsApi.resolve, { params: { id: idRelatorio, idComentario }, body: { resolvido } })
      await reread()
    },
    onSuccess: (_, resolvido) => onDone(resolvido ? 'Conversa resolvida.' : 'Conversa reaberta.'),
  })
  const restoring = useExclusiveMutation({ mutationFn: () => showState(thread) })
  const failure = resolving.error ?? restoring.error

  const editorOf = (comment: Comment) => (close: () => void) => (
    <CommentForm
      idRelatorio={idRelatorio}
      subject={`edicao:${comment.idComentario}`}
      label="Editar o comentário"
      hideLabel
      action="Salvar"
      autoFocus
      initial={draftOfComment(comment)}
      send={async (texto) => {
        const params = { id: idRelatorio, idComentario: comment.idComentario }
        await call(commentsApi.edit, { params, body: { texto } })
        await reread()
        return 'Comentário salvo.'
      }}
      onSent={(sentence) => {
        close()
        onDone(sentence)
      }}
      onCancel={close}
    />
  )

  return (
    <article className={classes.thread} data-resolved={isResolved || undefined}>
      {isResolved && (
        <p className={`${shared.active} ${classes.resolved}`}>
          <IconCheck size={16} aria-hidden />
          <span className={shared.breakable}>
            Resolvido{resolvidoPor ? ` por ${resolvidoPor}` : ''},{' '}
            <time dateTime={resolvidoEm} title={fullTime(resolvidoEm)}>
              {relativeTime(resolvidoEm, now)}
            </time>
          </span>
        </p>
      )}
      <CommentBody comment={thread} editor={editorOf(thread)} onDelete={() => onDelete(thread)} />
      {visto && !excluido && (
        <div className={classes.state}>
          <span className={`${shared.smallNote} ${shared.breakable}`}>{stateText(visto)}</span>
          <ActionButton
            label="Ver como estava"
            icon={IconHistory}
            variant="subtle"
            size="compact-sm"
            className={classes.quiet}
            loading={restoring.isPending}
            onClick={() => restoring.mutate()}
          />
        </div>
      )}
      {!isAlone && respostas > 0 && (
        <ActionButton
          label={counted(respostas, 'resposta', 'respostas')}
          icon={isExpanded ? IconChevronUp : IconChevronDown}
          variant="subtle"
          size="compact-sm"
          className={`${classes.quiet} ${classes.start}`}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        />
      )}
      {isExpanded && respostas > 0 && (
        <Replies
          idRelatorio={idRelatorio}
          idComentario={idComentario}
          editorOf={editorOf}
          onDelete={onDelete}
        />
      )}
      {failure && <ErrorAlert error={callFailureSentence(failure)} />}
      {isReplying ? (
        <CommentForm
          idRelatorio={idRelatorio}
          subject={`resposta:${idComentario}`}
          label="Sua resposta"
          hideLabel
          placeholder="Escreva uma resposta"
          action="Responder"
          autoFocus
          send={async (texto) => {
            const body = { texto, idConversa: idComentario }
            await call(commentsApi.create, { params: { id: idRelatorio }, body })
            await reread()
            return 'Resposta publicada.'
          }}
          onSent={(sentence) => {
            setReplying(false)
            setExpanded(true)
            onDone(sentence)
          }}
          onCancel={() => setReplying(false)}
        />
      ) : (
        <div className={classes.threadButtons}>
          <ActionButton
            label="Responder"
            icon={IconArrowBackUp}
            variant="subtle"
            size="compact-sm"
            className={classes.quiet}
            onClick={() => {
              setExpanded(true)
              setReplying(true)
            }}
          />
          <span className={shared.fills} />
          <ActionButton
            label={isResolved ? 'Reabrir' : 'Resolver'}
            icon={isResolved ? undefined : IconCheck}
            variant="subtle"
            size="compact-sm"
            className={classes.quiet}
            loading={resolving.isPending}
            onClick={() => resolving.mutate(!isResolved)}
          />
        </div>
      )}
    </article>
  )
}

interface RepliesProps extends Pick<ThreadProps, 'idRelatorio' | 'onDelete'> {
  idComentario: number
  editorOf: (comment: Comment) => (close: () => void) => ReactNode
}

const Replies = ({ idRelatorio, idComentario, editorOf, onDelete }: RepliesProps) => {
  const { data, error, isFetching, refetch } = useQuery(repliesQuery(idRelatorio, idComentario))
  if (!data)
    return error ? (
      <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} size="xs" />
    ) : (
      <SkeletonLines label="Carregando as respostas" />
    )
  return (
    <ul className={classes.replies} aria-label="Respostas">
      {data.map((reply) => (
        <li key={reply.idComentario}>
          <CommentBody comment={reply} editor={editorOf(reply)} onDelete={() => onDelete(reply)} />
        </li>
      ))}
    </ul>
  )
}

/** Names the page and says whether filters were in use; their values can be those of hidden rows. */
const stateText = ({ tituloPagina, temFiltros }: NonNullable<CommentThread['visto']>): string =>
  [tituloPagina && `Página “${tituloPagina}”`, temFiltros ? 'com filtros' : 'sem filtros']
    .filter(Boolean)
    .join(', ')
