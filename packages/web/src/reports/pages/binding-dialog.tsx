import { type PageRoute, pagesApi, pageTitles, reportRegistrationsApi } from '@bi-manager/contract'
import { Group, Modal, Text } from '@mantine/core'
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'
import type { BoundReport } from './bound-report.ts'
import { boundPageQuery, PAGES_KEY, pagesQuery } from './pages-queries.ts'

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
  reportRegistrationsApi.list,
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
  const { mutate, isPending, variables, error } = useExclusiveMutation({
    mutationKey: BINDING_KEY,
    mutationFn: (idRelatorio: number | null) =>
      call(pagesApi.update, { params: { rota }, body: { idRelatorio } }),
    onSuccess: async (page) => {
      // A running older request must not overwrite this response.
      await client.cancelQueries({ queryKey: [PAGES_KEY] })
      client.setQueryData(boundPageQuery(rota).queryKey, page)
      void client.invalidateQueries(pagesQuery)
      onClose()
    },
  })

  const submit = () => {
    setMissing(!choice)
    if (choice) mutate(choice.value)
  }

  return (
    <Form onSubmit={submit}>
      <Text size="sm" c="dimmed" mb="md">
        O relatório aparece em “{pageTitles[rota]}” para quem tem permissão de vê-lo.
      </Text>
      <SearchSelect
        label="Relatório"
        placeholder="Pesquisar relatório"
        queryKey={reportsKey}
        search={searchReports}
        value={choice}
        onChange={(option) => {
          setChoice(option)
          setMissing(false)
        }}
        error={isMissing && 'Escolha um relatório.'}
        data-autofocus
      />
      <ErrorAlert error={error} mt="md" />
      <Group justify="flex-end" gap="0.625rem" mt="1.5rem">
        {bound && (
          <Button
            variant="subtle"
            color="red"
            mr="auto"
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
      </Group>
    </Form>
  )
}

const optionOf = ({ idRelatorio, nomeRelatorio, nomeGrupo }: BoundReport): SelectOption => ({
  value: idRelatorio,
  label: nomeRelatorio,
  description: nomeGrupo,
})
