import { type SavedView, savedViewsApi } from '@bi-manager/contract'
import { Box, CloseButton, Skeleton } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import shared from '../../ui/shared.module.css'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { callFailureSentence } from '../viewer/problems/embed-problem.ts'
import { SavedViewForm } from './saved-view-form.tsx'
import { SavedViewRow } from './saved-view-row.tsx'
import classes from './saved-views.module.css'
import { savedViewsQuery } from './saved-views-query.ts'

interface SavedViewsPanelProps {
  report: Pick<ViewedReport, 'show' | 'capture'>
  idRelatorio: number
  close: () => void
  /** Called when a dialog over the panel opens or closes. */
  onAsking: (isAsking: boolean) => void
}

/** The user's saved views of the report on the screen. */
const SavedViewsPanel = ({ report, idRelatorio, close, onAsking }: SavedViewsPanelProps) => {
  const client = useQueryClient()
  const { data: views, error, isFetching, refetch } = useQuery(savedViewsQuery(idRelatorio))
  /** 'nova', or the id of the view being renamed. */
  const [form, setForm] = useState<'nova' | number>()
  const [toDelete, setToDelete] = useState<SavedView>()
  const ask = (view: SavedView | undefined) => {
    setToDelete(view)
    onAsking(view !== undefined)
  }
  const [message, setMessage] = useState('')
  const reread = () => client.invalidateQueries(savedViewsQuery(idRelatorio))

  /** The message below the list shows the result or error. */
  const { mutate, isPending, isError, variables } = useExclusiveMutation({
    mutationFn: ({ work }: { view: SavedView; work: () => Promise<string> }) => work(),
    onMutate: () => setMessage(''),
    onSuccess: setMessage,
    onError: (failure) => setMessage(callFailureSentence(failure)),
  })
  useSuccessClose(!isError && message !== withoutPicks && message, () => setMessage(''))
  /** Runs one action at a time. */
  const run = (view: SavedView, work: () => Promise<string>) => mutate({ view, work })

  const apply = (view: SavedView) =>
    run(view, async () => {
      await report.show(view)
      close()
      return `Visão “${view.nome}” aplicada.`
    })

  const save = async ({ idVisao, versao }: SavedView, body: Partial<SavedView>) => {
    await call(savedViewsApi.update, { params: { id: idRelatorio, idVisao }, body }, { ifMatch: versao })
    await reread()
  }

  const change = (view: SavedView, body: Partial<SavedView>, done: string) =>
    run(view, () => save(view, body).then(() => done))

  const overwrite = (view: SavedView) =>
    run(view, async () => {
      const { isTooLong, ...body } = await report.capture()
      await save(view, body)
      return isTooLong ? withoutPicks : `“${view.nome}” guarda agora o que está na tela.`
    })

  return (
    <div className={shared.stackSm}>
      <div className={shared.spread}>
        <Box component="h2" fz="md" lh={1.35}>
          Visões salvas
        </Box>
        <CloseButton aria-label="Fechar visões salvas" onClick={close} />
      </div>
      {views ? (
        views.length === 0 ? (
          form !== 'nova' && (
            <p className={shared.smallNote}>
              Guarde aqui a página, os filtros e as seleções que você usa, para voltar a eles com um clique.
            </p>
          )
        ) : (
          <ul className={classes.list}>
            {views.map((view) => (
              <li key={view.idVisao}>
                {form === view.idVisao ? (
                  <SavedViewForm
                    idRelatorio={idRelatorio}
                    view={view}
                    onSaved={() => {
                      setForm(undefined)
                      setMessage('Nome trocado.')
                    }}
                    onCancel={() => setForm(undefined)}
                  />
                ) : (
                  <SavedViewRow
                    view={view}
                    isBusy={isPending && variables.view.idVisao === view.idVisao}
                    onApply={() => apply(view)}
                    onOverwrite={() => overwrite(view)}
                    onRename={() => setForm(view.idVisao)}
                    onDefault={(padrao) =>
                      change(
                        view,
                        { padrao },
                        padrao
                          ? `O relatório abre com “${view.nome}”.`
                          : 'O relatório volta a abrir como foi publicado.',
                      )
                    }
                    onDelete={() => ask(view)}
                  />
                )}
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Carregando as visões salvas">
          <Skeleton height={20} my="xs" />
          <Skeleton height={20} my="xs" width="70%" />
        </div>
      )}
      {form === 'nova' ? (
        <SavedViewForm
          idRelatorio={idRelatorio}
          capture={report.capture}
          onSaved={(saved, isTooLong) => {
            setForm(undefined)
            setMessage(isTooLong ? withoutPicks : `Visão “${saved.nome}” salva.`)
          }}
          onCancel={() => setForm(undefined)}
        />
      ) : (
        views && (
          <ActionButton
            icon={IconBookmarkPlus}
            label="Salvar o que está na tela"
            size="sm"
            onClick={() => {
              setMessage('')
              setForm('nova')
            }}
          />
        )
      )}
      <p className={shared.smallNote} role="status">
        {message}
      </p>
      <ConfirmDelete
        target={toDelete}
        onClose={() => ask(undefined)}
        question="Deseja mesmo excluir essa visão?"
        done="Visão excluída!"
        nameOf={({ nome }) => nome}
        remove={({ idVisao }) => call(savedViewsApi.remove, { params: { id: idRelatorio, idVisao } })}
        onDeleted={() => void reread()}
      />
    </div>
  )
}

export default SavedViewsPanel

const withoutPicks =
  'Visão salva com a página e os filtros. As seleções feitas nos visuais são muitas para guardar.'
