import { type Beneficiary, beneficiariesApi, sexes } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconFileImport, IconPencil, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useList } from '../../lib/lists/use-list.ts'
import { usePurpose } from '../../lib/session/purpose.ts'
import { BeneficiarySearch } from '../../ui/beneficiary-search/beneficiary-search.tsx'
import { birthText } from '../../ui/beneficiary-search/birth-text.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { PurposeGate } from '../../ui/purpose-gate.tsx'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './beneficiaries.module.css'
import { beneficiariesKey, refreshBeneficiaries } from './beneficiaries-queries.ts'
import { BeneficiaryDialog, type BeneficiaryTarget } from './beneficiary-form.tsx'
import { prefilledBy } from './beneficiary-values.ts'
import { ImportDialog } from './import-dialog.tsx'

const NONE = '—'

const columns: Column<Beneficiary, never>[] = [
  { label: 'Nome', isName: true, render: ({ nome_beneficiario }) => nome_beneficiario },
  { label: 'ID', width: '12%', isId: true, render: ({ id_beneficiario }) => id_beneficiario },
  {
    label: 'Nascimento',
    width: '13rem',
    render: (one) => <span className={classes.whole}>{birthText(one)}</span>,
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
  const [isDone, showDone] = useMessageFor(4_000)
  const register = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => edit({ typed: {} })}>
      Cadastrar beneficiário
    </Button>
  )
  return (
    <AdminPage
      title="Beneficiários"
      lead="O cadastro das pessoas de que tratam os prontuários e anexos."
      actions={
        purpose && (
          <>
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} aria-hidden />}
              onClick={() => setDialog({ kind: 'import' })}
            >
              Importar CSV
            </Button>
            {register}
          </>
        )
      }
    >
      <PurposeGate>
        <p role="status" className={classes.done}>
          {isDone && done.text}
        </p>
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
        <ImportDialog
          opened={dialog?.kind === 'import'}
          onClose={close}
          onImported={() => refreshBeneficiaries(queryClient)}
        />
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
    isOnRecord: true,
  })
  return (
    <>
      <section aria-label="Pesquisar beneficiário" className={classes.searchCard}>
        <BeneficiarySearch
          key={saves}
          label="Pesquisar beneficiário"
          choice="Editar"
          onChoose={(record) => onTarget({ record })}
          onRegister={(text) => onTarget({ typed: prefilledBy(text) })}
        />
      </section>
      <h2 className={classes.listHeading}>
        Todos, do último cadastrado ao primeiro
        {list.rows && (
          <span className={classes.dimmed}>
            {countText(list.total, list.isCapped, ['beneficiário', 'beneficiários'])}
          </span>
        )}
      </h2>
      <DataTable
        list={list}
        label="Beneficiários"
        columns={columns}
        rowKey={({ id }) => id}
        actionsWidth="5rem"
        actions={(record) => (
          <RowAction
            icon={IconPencil}
            label="Editar"
            of={record.nome_beneficiario}
            onClick={() => onTarget({ record })}
          />
        )}
        empty={{ text: 'Nenhum beneficiário cadastrado ainda.', action: register }}
      />
    </>
  )
}
