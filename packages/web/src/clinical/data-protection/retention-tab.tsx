import { dataProtectionApi, RETENTION_YEARS, type RetentionEntry } from '@bi-manager/contract'
import { Anchor, Badge, Group } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '../../lib/lists/use-list.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import shared from '../../ui/shared.module.css'
import classes from './data-protection.module.css'
import { protectionKey } from './data-protection-queries.ts'

/** The retention list: from when each beneficiary's records may be disposed of. */
export const RetentionTab = () => {
  const list = useList({
    queryKey: [...protectionKey, 'retencao'],
    endpoint: dataProtectionApi.retention,
    fields: [],
    isLogged: true,
  })
  return (
    <section className={shared.stackLg} aria-labelledby="retencao">
      <div>
        <h2 id="retencao" className={shared.heading}>
          Até quando guardar
        </h2>
        <p className={classes.help}>
          Prontuários ficam guardados por {RETENTION_YEARS} anos depois do último registro da pessoa (Lei
          13.787/2018, art. 6º). A lista começa por quem chega antes ao fim do prazo. O portal não apaga
          prontuários: a lista diz quando o prazo da lei termina.
        </p>
      </div>
      <DataTable
        list={list}
        label="Lista de retenção"
        columns={columns}
        rowKey={({ beneficiario }) => beneficiario}
        empty={{ text: 'Ninguém tem prontuário ou anexo ainda.' }}
      />
    </section>
  )
}

const columns: Column<RetentionEntry, never>[] = [
  {
    label: 'Beneficiário',
    isName: true,
    render: ({ beneficiario, nome_beneficiario }) => (
      <Anchor
        component={Link}
        to={`/protecao-de-dados?aba=beneficiario&beneficiario=${beneficiario}`}
        className={classes.person}
      >
        {nome_beneficiario}
      </Anchor>
    ),
    detail: ({ id_beneficiario }) => `ID ${id_beneficiario}`,
  },
  { label: 'Prontuários', width: '8rem', render: ({ prontuarios }) => number.format(prontuarios) },
  { label: 'Anexos', width: '7rem', render: ({ anexos }) => number.format(anexos) },
  { label: 'Último registro', width: '9rem', render: ({ ultimo_registro }) => ultimo_registro },
  {
    label: 'Descarte a partir de',
    width: '14rem',
    render: ({ descartavel_em, vencido }) => (
      <Group component="span" gap="0.375rem 0.625rem">
        {descartavel_em}
        {vencido && <Badge>Prazo cumprido</Badge>}
      </Group>
    ),
  },
]

const number = new Intl.NumberFormat('pt-BR')
