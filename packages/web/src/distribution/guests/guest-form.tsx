import {
  type Guest,
  guestEntity,
  guestsApi,
  labelsOf,
  type Report,
  reportRegistrationsApi,
} from '@bi-manager/contract'
import { Alert, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { entityQuery, readEntity } from '../../lib/api/entities.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { counted } from '../../lib/text/counted.ts'
import { searchReportsToShow } from '../../reports/index.ts'
import { DayTextField } from '../../ui/day-field/day-text-field.tsx'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, entityIdOf, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { IdentityFields } from '../../ui/entity-form/identity-fields.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { Facts } from '../../ui/facts.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { draftOf, updateOf, valuesOf } from './guest-values.ts'
import { guestRulesQuery, guestsKey } from './guests-queries.ts'

const labels = labelsOf(guestEntity)

/** '/convidar': invites a person, to the report of `?relatorio=`, or changes an invitation. */
export const GuestFormPage = () => {
  const id = useEntityId('item')
  const [search] = useSearchParams()
  const asked = id === undefined ? entityIdOf(search.get('relatorio')) : undefined
  const { data: report, isLoading } = useQuery(entityQuery(reportsKey, reportRegistrationsApi.get, asked))
  // The field starts with the report; one that cannot be read is left to the person.
  if (isLoading) return null
  return (
    <EntityPage
      id={id}
      queryKey={guestsKey}
      endpoint={guestsApi.get}
      title="Editar convite"
      notFound="Convite não encontrado"
      listPath="/convidados"
      fields={6}
    >
      {(guest) => <GuestForm guest={guest} report={report} />}
    </EntityPage>
  )
}

interface GuestFormProps {
  guest: Guest | undefined
  /** The report of a new invitation; undefined: to be chosen. */
  report: Report | undefined
}

const GuestForm = ({ guest, report }: GuestFormProps) => {
  const queryClient = useQueryClient()
  const { data: rules } = useQuery(guestRulesQuery)
  const form = useEntityForm({
    entity: guest,
    valuesOf: (entity) => valuesOf(entity, report),
    required: ['emailConvidado', 'idRelatorio', 'ultimoDia', 'motivo'],
    save: (values, base) =>
      base
        ? call(
            guestsApi.update,
            { params: { id: base.idConvidado }, body: updateOf(values) },
            { ifMatch: base.versao },
          )
        : call(guestsApi.create, { body: draftOf(values) }),
    reload: ({ idConvidado }) => readEntity(guestsApi.get, idConvidado),
    onSaved: () => refreshAfter(queryClient, guestEntity),
  })
  const { base } = form
  return (
    <EntityForm
      form={form}
      title={base ? 'Editar convite' : 'Convidar para um relatório'}
      section="Convidados"
      lead={
        base
          ? `${base.emailConvidado} · ${base.nomeRelatorio}`
          : 'Uma pessoa sem conta vê um relatório, por um link que chega ao e-mail dela a cada visita.'
      }
      listPath="/convidados"
      registerPath="/convidar"
      texts={{ created: 'Convite enviado!', updated: 'Convite editado!' }}
      above={
        rules?.ligado === false && (
          <Alert color="yellow" role="alert">
            Os links de convidado estão desligados. Ligue-os nas regras, em “Convidados”, antes de convidar.
          </Alert>
        )
      }
    >
      {base ? (
        <Facts
          rows={[
            [labels.emailConvidado, base.emailConvidado],
            [labels.idRelatorio, base.nomeRelatorio],
          ]}
        />
      ) : (
        <>
          <TextInput
            type="email"
            label={labels.emailConvidado}
            description="Os links vão só para este endereço, que não muda depois."
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            {...form.text('emailConvidado')}
          />
          <SearchSelect
            label={labels.idRelatorio}
            description="Só a identidade restringe as linhas que o convidado alcança: o Filtro do relatório não é segurança."
            placeholder="Pesquise pelo nome"
            queryKey={[...reportsKey, 'convidar']}
            search={searchReportsToShow}
            {...form.field('idRelatorio')}
          />
        </>
      )}
      <DayTextField
        label={labels.ultimoDia}
        description={
          rules
            ? `No fim deste dia, as visitas param. As regras permitem até ${counted(rules.diasMaximos, 'dia', 'dias')}.`
            : 'No fim deste dia, as visitas param.'
        }
        {...form.field('ultimoDia')}
      />
      <TextInput
        label={labels.motivo}
        description="Fica na auditoria. O convidado não o vê."
        maxLength={200}
        autoComplete="off"
        {...form.text('motivo')}
      />
      <IdentityFields labels={labels} rows="o convidado vê as linhas deste usuário." text={form.text} />
    </EntityForm>
  )
}
