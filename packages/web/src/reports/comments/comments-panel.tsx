import {
  type Comment,
  type CommentStatus,
  type CommentThread,
  commentsApi,
  notificationsApi,
} from '@bi-manager/contract'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox, SegmentedControl } from '@mantine/core'
import { IconArrowLeft, IconMessageCircle } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { dataKey } from '../freshness/use-data-freshness.ts'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { CommentForm } from './comment-form.tsx'
import classes from './comments.module.css'
import { commentsKey, rereadComments, threadQuery, useThreads } from './comments-queries.ts'
import { draftOfComment } from './mention-text.ts'
import { Thread } from './thread.tsx'

export interface CommentsPanelProps {
  report: Pick<ViewedReport, 'activePage' | 'capture' | 'show'>
  idRelatorio: number
  /** A paginated report has no pages, filters or selections to keep. */
  isPaginated: boolean
  /** Whether the reader has selected something in the report. */
  hasSelections: boolean
  /** Changes when the report shows another page. */
  page: string | undefined
  /** The thread of a link; undefined for the list. */
  idConversa: number | undefined
  /** Leaves the thread of the link. */
  showAll: () => void
  /** Called with a sentence once the report shows what a comment was about. */
  onShown: (sentence: string) => void
}

/** The discussions of readers about the report on the screen. */
const CommentsPanel = (props: CommentsPanelProps) => {
  const { report, idRelatorio, idConversa, showAll, onShown } = props
  const client = useQueryClient()
  const [message, setMessage] = useState('')
  useSuccessClose(message, () => setMessage(''))
  const [toDelete, setToDelete] = useState<Comment>()
  useLiveRefresh('comentarios', () => {
    void refreshInBackground(client, commentsKey(idRelatorio))
    void client.invalidateQueries({ queryKey: dataKey(idRelatorio), exact: true })
  })

  const showState = async ({ idComentario, autor }: CommentThread) => {
    const params = { id: idRelatorio, idComentario }
    const { completo, pagina, filtros, marcador } = await call(commentsApi.state, { params })
    // Without the writer's filters, those of the reader stay.
    const kept = completo ? filtros : (await report.capture()).filtros
    await report.show({ pagina, filtros: kept, marcador })
    onShown(completo ? `O relatório está como no comentário de ${autor ?? 'quem o escreveu'}.` : onlyPage)
  }
  const lists = { idRelatorio, showState, onDelete: setToDelete, onDone: setMessage }

  return (
    <div className={classes.body}>
      {idConversa === undefined ? (
        <ThreadList {...props} {...lists} />
      ) : (
        <>
          <ActionButton
            label="Todas as conversas"
            icon={IconArrowLeft}
            variant="subtle"
            size="compact-sm"
            className={`${classes.quiet} ${classes.start}`}
            onClick={showAll}
          />
          <LinkedThread key={idConversa} idConversa={idConversa} {...lists} />
        </>
      )}
      <p className={shared.smallNote} role="status">
        {message}
      </p>
      <ConfirmDelete
        target={toDelete}
        onClose={() => setToDelete(undefined)}
        question="Deseja mesmo excluir este comentário?"
        done="Comentário excluído!"
        nameOf={excerptOf}
        consequence="As respostas continuam na conversa."
        remove={({ idComentario }) => call(commentsApi.remove, { params: { id: idRelatorio, idComentario } })}
        onDeleted={({ idComentario }) => {
          if (idComentario === idConversa) showAll()
          void rereadComments(client, idRelatorio)
        }}
      />
    </div>
  )
}

export default CommentsPanel

interface ThreadActions {
  idRelatorio: number
  showState: (thread: CommentThread) => Promise<void>
  onDelete: (comment: Comment) => void
  onDone: (sentence: string) => void
}

const ThreadList = ({
  report,
  isPaginated,
  hasSelections,
  page,
  ...actions
}: Pick<CommentsPanelProps, 'report' | 'isPaginated' | 'hasSelections' | 'page'> & ThreadActions) => {
  const { idRelatorio, onDone } = actions
  const client = useQueryClient()
  const [situacao, setSituacao] = useState<CommentStatus>('abertos')
  const [isOnePage, setOnePage] = useState(true)
  const active = useQuery({
    queryKey: ['pagina-na-tela', idRelatorio, page],
    queryFn: report.activePage,
    enabled: !isPaginated,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const paginaRelatorio = isOnePage ? active.data?.name : undefined
  const isPageKnown = isPaginated || !active.isPending
  const list = useThreads(idRelatorio, { situacao, paginaRelatorio }, isPageKnown)
  const threads = list.data?.pages.flatMap(({ rows }) => rows)
  const isNarrow = paginaRelatorio !== undefined

  const publish = async (texto: string) => {
    const { estado, isTooLong } = isPaginated ? noState : await captureState(report, hasSelections)
    await call(commentsApi.create, { params: { id: idRelatorio }, body: { texto, estado } })
    // The new thread is open.
    setSituacao('abertos')
    await rereadComments(client, idRelatorio)
    return isTooLong ? withoutPicks : 'Comentário publicado.'
  }

  return (
    <>
      <CommentForm
        idRelatorio={idRelatorio}
        subject="novo"
        label="Novo comentário"
        placeholder="Escreva um comentário. Use @ para mencionar alguém."
        description={isPaginated ? seenByAll : `${seenByAll} ${keepsState}`}
        action="Comentar"
        send={publish}
        onSent={onDone}
      />
      <div className={classes.filters}>
        <SegmentedControl
          aria-label="Mostrar"
          size="xs"
          fullWidth
          value={situacao}
          onChange={(next) => setSituacao(next as CommentStatus)}
          data={[
            { value: 'abertos', label: 'Abertos' },
            { value: 'resolvidos', label: 'Resolvidos' },
            { value: 'todos', label: 'Todos' },
          ]}
        />
        {/* A service that does not tell its page has the threads of all. */}
        {active.data?.name !== undefined && (
          <Checkbox
            size="xs"
            label="Só os desta página do relatório"
            checked={isOnePage}
            onChange={(event) => setOnePage(event.currentTarget.checked)}
          />
        )}
      </div>
      {!threads ? (
        list.error ? (
          <ListFailure
            error={list.error}
            isFetching={list.isFetching}
            onRetry={() => void list.refetch()}
            size="xs"
          />
        ) : (
          <SkeletonLines label="Carregando os comentários" />
        )
      ) : threads.length === 0 ? (
        <InlineMessage
          icon={IconMessageCircle}
          action={
            isNarrow && (
              <ActionButton label="Ver as outras páginas" size="xs" onClick={() => setOnePage(false)} />
            )
          }
        >
          {emptyText(situacao, isNarrow)}
        </InlineMessage>
      ) : (
        <ul className={classes.list} aria-label="Conversas">
          {threads.map((thread) => (
            <li key={thread.idComentario}>
              <Thread thread={thread} {...actions} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <ActionButton
          label="Mostrar mais"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        />
      )}
    </>
  )
}

const LinkedThread = ({ idConversa, ...actions }: { idConversa: number } & ThreadActions) => {
  const { data, error, isFetching, refetch } = useQuery(threadQuery(actions.idRelatorio, idConversa))
  // Until it is read, the person is not notified of the thread again. The bell gets a live event.
  const { mutate: markRead } = useExclusiveMutation({
    // A portal of the previous version, still running during an upgrade, knows `ids` only.
    mutationFn: () => call(notificationsApi.markRead, { body: { ids: [], idConversa } }),
  })
  const isShown = data !== undefined
  useEffect(() => {
    if (isShown) markRead()
  }, [isShown, markRead])
  if (data) return <Thread thread={data} isAlone {...actions} />
  if (!error) return <SkeletonLines label="Carregando a conversa" />
  return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} size="xs" />
}

/** What the report shows now. A service that does not answer fails the comment, and the text stays. */
const captureState = async (report: CommentsPanelProps['report'], temSelecoes: boolean) => {
  const [captured, { title = '' }] = await Promise.all([report.capture(), report.activePage()])
  const { isTooLong, pagina, marcador, filtros } = captured
  return { isTooLong, estado: { pagina, marcador, filtros, tituloPagina: title, temSelecoes } }
}

const noState = { estado: null, isTooLong: false }

const emptyText = (situacao: CommentStatus, isNarrow: boolean): string => {
  const where = isNarrow ? 'nesta página do relatório' : 'neste relatório'
  if (situacao === 'resolvidos') return `Nenhuma conversa resolvida ${where}.`
  return situacao === 'abertos' ? `Nenhuma conversa aberta ${where}.` : `Nenhuma conversa ${where}.`
}

const excerptOf = (comment: Comment): string => {
  const { texto } = draftOfComment(comment)
  return texto.length > 120 ? `${texto.slice(0, 120)}…` : texto
}

const seenByAll = 'Todos que veem este relatório podem ler.'
const keepsState = 'O comentário guarda a página e os filtros da tela.'
const withoutPicks =
  'Comentário publicado com a página e os filtros. As seleções feitas nos visuais são muitas para guardar.'
const onlyPage =
  'A página do comentário está na tela. Os filtros dele não, porque vocês veem linhas diferentes neste relatório.'
