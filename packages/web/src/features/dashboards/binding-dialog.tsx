import { type PageRoute, pagesApi, pageTitles, reportRecordsApi } from '@bi-manager/contract'
import { Alert, Button, Modal, Text } from '@mantine/core'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'
import classes from './binding-dialog.module.css'
import type { BoundReport } from './bound-report.ts'
import { boundPageQuery, PAGES_KEY } from './pages-queries.ts'

interface BindingDialogProps {
  rota: PageRoute
  bound: BoundReport | null
  opened: boolean
  onClose: () => void
  /** Called after the exit transition. */
  onClosed: () => void
}

const BINDING_KEY = ['ligar-relatorio']

export const BindingDialog = ({ opened, onClose, onClosed, ...page }: BindingDialogProps) => {
  const isBusy = useIsMutating({ mutationKey: BINDING_KEY }) > 0
  return (
    <Modal
      opened={opened}
      onClose={() => !isBusy && onClose()}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={page.bound ? 'Trocar relatório' : 'Ligar relatório'}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
      centered
    >
      <BindingForm {...page} onClose={onClose} />
    </Modal>
  )
}

const searchReports = searchOptions(
  reportRecordsApi.list,
  ({ idRelatorio, nomeRelatorio, nomeGrupo, operadoraRelatorio }) => ({
    value: idRelatorio,
    label: nomeRelatorio,
    description: [nomeGrupo, operadoraRelatorio].filter(Boolean).join(' · '),
  }),
)

type BindingFormProps = Pick<BindingDialogProps, 'rota' | 'bound' | 'onClose'>

const BindingForm = ({ rota, bound, onClose }: BindingFormProps) => {
  const client = useQueryClient()
  const [choice, setChoice] = useState<SelectOption | null>(() => bound && optionOf(bound))
  const [isMissing, setMissing] = useState(false)
  const { mutate, isPending, variables, error } = useMutation({
    mutationKey: BINDING_KEY,
    networkMode: 'always',
    mutationFn: (idRelatorio: number | null) =>
      call(pagesApi.update, { params: { rota }, body: { idRelatorio } }),
    onSuccess: async (page) => {
      // A running older request must not overwrite this response.
      await client.cancelQueries({ queryKey: [PAGES_KEY] })
      client.setQueryData(boundPageQuery(rota).queryKey, page)
      onClose()
    },
  })

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(!choice)
    if (choice && !isPending) mutate(choice.value)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" c="dimmed" mb="md">
        O relatório aparece em “{pageTitles[rota]}” para quem tem permissão de vê-lo.
      </Text>
      <SearchSelect
        label="Relatório"
        placeholder="Pesquisar relatório"
        queryKey={['relatorios']}
        search={searchReports}
        value={choice}
        onChange={(option) => {
          setChoice(option)
          setMissing(false)
        }}
        error={isMissing && 'Escolha um relatório.'}
        data-autofocus
      />
      {error && (
        <Alert color="red" role="alert" mt="md">
          {messageOf(error)}
        </Alert>
      )}
      <div className={classes.buttons}>
        {bound && (
          <Button
            variant="subtle"
            color="red"
            className={classes.unbind}
            loading={isPending && variables === null}
            disabled={isPending}
            onClick={() => mutate(null)}
          >
            Desligar
          </Button>
        )}
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancelar
        </Button>
        <Button
          type="submit"
          loading={isPending && variables !== null}
          disabled={isPending && variables === null}
        >
          Salvar
        </Button>
      </div>
    </form>
  )
}

const optionOf = ({ idRelatorio, nomeRelatorio, nomeGrupo }: BoundReport): SelectOption => ({
  value: idRelatorio,
  label: nomeRelatorio,
  description: nomeGrupo,
})
