import { type Beneficiary, beneficiariesApi, sexes } from '@bi-manager/contract'
import { Box, Group, Text } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useList } from '../../lib/lists/use-list.ts'
import { usePurpose } from '../../lib/session/purpose.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvDialog } from '../../ui/csv-import/csv-dialog.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { SUCCESS_MS } from '../../ui/dialog/use-success-close.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import { PurposeGate } from '../purpose/purpose-gate.tsx'
import { beneficiariesKey, refreshBeneficiaries } from './beneficiaries-queries.ts'
import { BeneficiaryDialog, type BeneficiaryTarget } from './beneficiary-form.tsx'
import { BeneficiarySearch } from './beneficiary-search.tsx'
import { prefilledBy } from './beneficiary-values.ts'
import { birthText } from './birth-text.ts'

// Lazy, so that the list does not load the CSV parser.
const BeneficiaryImport = lazy(() =>
  import('./beneficiary-import.tsx').then((module) => ({ default: module.BeneficiaryImport })),
)

const NONE = '—'

const columns: Column<Beneficiary, never>[] = [
  { label: 'Nome', isName: true, render: ({ nome_beneficiario }) => nome_beneficiario },
  { label: 'ID', width: '12%', isId: true, render: ({ id_beneficiario }) => id_beneficiario },
  {
    label: 'Nascimento',
    width: '13rem',
    render: (one) => <span style={{ whiteSpace: 'nowrap' }}>{birthText(one)}</span>,
  },
  { label: 'Sexo', width: '6.75rem', render: ({ sexo }) => (sexo ? sexes[sexo] : NONE) },
  { label: 'Plano', width: '13%', render: ({ plano }) => plano ?? NONE },
  { label: 'Operadora', width: '12%', render: ({ operadora }) => operadora ?? NONE },
]

type Dialog = { kind: 'edit'; target: BeneficiaryTarget } | { kind: 'import' }

export const BeneficiariesPage = () => {
  const queryClient = useQueryClient()
  const purpose = usePurpose()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const edit = (target: BeneficiaryTarget) => setDialog({ kind: 'edit', target })
  const [done, setDone] = useState({ text: '', times: 0 })
  const [isDone, showDone] = useMessageFor(SUCCESS_MS)
  const register = (
    <ActionButton isMain icon={IconPlus} label="Cadastrar beneficiário" onClick={() => edit({ typed: {} })} />
  )
  return (
    <AdminPage
      title="Beneficiários"
      lead="O cadastro das pessoas de que tratam os prontuários e anexos."
      actions={purpose && register}
      moreActions={
        purpose && (
          <ActionButton
            icon={IconFileImport}
            label="Importar CSV"
            onClick={() => setDialog({ kind: 'import' })}
          />
        )
      }
    >
      <PurposeGate>
        <Text role="status" fw={600} c="light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-2))">
          {isDone && done.text}
        </Text>
        <Registry saves={done.times} register={register} onTarget={edit} />
        <BeneficiaryDialog
          target={dialog?.kind === 'edit' ? dialog.target : undefined}
          onClose={close}
          onSaved={(_, isNew) => {
            const text = isNew ? 'Beneficiário cadastrado!' : 'Beneficiário editado!'
            setDone(({ times }) => ({ text, times: times + 1 }))
            showDone()
          }}
        />
        <CsvDialog
          opened={dialog?.kind === 'import'}
          onClose={close}
          title="Importar beneficiários"
          lost="o resultado"
        >
          {(onHold) => (
            <BeneficiaryImport
              onClose={close}
              onImported={() => refreshBeneficiaries(queryClient)}
              onHold={onHold}
            />
          )}
        </CsvDialog>
      </PurposeGate>
    </AdminPage>
  )
}

interface RegistryProps {
  /** Number of saves; part of the search's key, because results may change after each. */
  saves: number
  register: ReactNode
  onTarget: (target: BeneficiaryTarget) => void
}

/** Reads health data, so it is rendered only after a purpose was given. */
const Registry = ({ saves, register, onTarget }: RegistryProps) => {
  const list = useList({
    queryKey: beneficiariesKey,
    endpoint: beneficiariesApi.list,
    fields: [],
    isLogged: true,
  })
  return (
    <>
      <Box
        component="section"
        aria-label="Pesquisar beneficiário"
        px="1.25rem"
        py="1.125rem"
        className={shared.surface}
      >
        <BeneficiarySearch
          key={saves}
          label="Pesquisar beneficiário"
          isPageSearch
          choice="Editar"
          onChoose={(beneficiary) => onTarget({ beneficiary })}
          onRegister={(text) => onTarget({ typed: prefilledBy(text) })}
        />
      </Box>
      <Group component="h2" gap="sm" align="baseline" mt={8} fw={600} fz="md">
        Todos, do último cadastrado ao primeiro
        {list.rows && (
          <Box component="span" className={shared.note} fw={400}>
            {countText(list.total, list.isCapped, ['beneficiário', 'beneficiários'])}
          </Box>
        )}
      </Group>
      <DataTable
        list={list}
        label="Beneficiários"
        columns={columns}
        rowKey={({ id }) => id}
        actionsWidth="5rem"
        actions={(beneficiary) => (
          <EditAction of={beneficiary.nome_beneficiario} onClick={() => onTarget({ beneficiary })} />
        )}
        empty={{ text: 'Nenhum beneficiário cadastrado ainda.', action: register }}
      />
    </>
  )
}
