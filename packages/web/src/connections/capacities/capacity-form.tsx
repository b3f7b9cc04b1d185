import {
  type Capacity,
  capacitiesApi,
  capacityEntity,
  labelsOf,
  MAX_HOLIDAYS,
  shortWeekday,
  WEEKDAYS,
} from '@bi-manager/contract'
import { Checkbox, Group, TagsInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { capacitiesKey, connectionsKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { TimeField } from '../../ui/instant-field/time-field.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import shared from '../../ui/shared.module.css'
import { searchConnections } from './capacities-queries.ts'
import { type CapacityValues, draftOf, holidaysOf, valuesOf } from './capacity-values.ts'
import { HoursSection } from './hours-section.tsx'
import { StartersSection } from './starters-section.tsx'
import { StateSection } from './state-section.tsx'

const labels = labelsOf(capacityEntity)

export const CapacityFormPage = () => (
  <EntityPage
    id={useEntityId('item')}
    queryKey={capacitiesKey}
    endpoint={capacitiesApi.get}
    title="Editar capacidade"
    notFound="Capacidade não encontrada"
    listPath="/capacidades"
    fields={6}
  >
    {(capacity) => <CapacityForm capacity={capacity} />}
  </EntityPage>
)

const CapacityForm = ({ capacity }: { capacity: Capacity | undefined }) => {
  const queryClient = useQueryClient()
  const form = useEntityForm({
    entity: capacity,
    valuesOf,
    required: ['nome', 'idPowerBi', 'recurso'],
    save: (values, base) =>
      base
        ? call(
            capacitiesApi.update,
            { params: { id: base.idCapacidade }, body: draftOf(values) },
            { ifMatch: base.versao },
          )
        : call(capacitiesApi.create, { body: draftOf(values) }),
    reload: ({ idCapacidade }) => readEntity(capacitiesApi.get, idCapacidade),
    onSaved: () => refreshAfter(queryClient, capacityEntity),
  })
  const { base, values } = form
  return (
    <EntityForm
      form={form}
      title={base ? 'Editar capacidade' : 'Cadastrar capacidade'}
      section="Capacidades"
      lead={base ? base.nome : 'Uma capacidade do Fabric ou do Power BI Embedded que já existe no Azure.'}
      listPath="/capacidades"
      registerPath="/cadastrar-capacidade"
      texts={{ created: 'Capacidade cadastrada!', updated: 'Capacidade editada!' }}
      above={base && <StateSection capacity={base} />}
      below={
        base && (
          <>
            <StartersSection idCapacidade={base.idCapacidade} />
            <HoursSection capacity={base} />
          </>
        )
      }
    >
      <TextInput label={labels.nome} maxLength={120} autoComplete="off" {...form.text('nome')} />
      <SearchSelect
        label={labels.idPowerBi}
        description="A conexão cujos workspaces estão na capacidade. O aplicativo dela precisa do papel de Colaborador na capacidade, no Azure."
        placeholder="Pesquise pelo nome"
        queryKey={connectionsKey}
        search={searchConnections}
        {...form.field('idPowerBi')}
      />
      <TextInput
        label={labels.recurso}
        description="No portal do Azure, abra a capacidade, Exibição JSON, e copie o ID do recurso."
        placeholder="/subscriptions/…"
        maxLength={400}
        autoComplete="off"
        spellCheck={false}
        {...form.text('recurso')}
      />
      <Checkbox.Group
        label={labels.diasAgenda}
        description="Nestes dias o portal inicia e pausa a capacidade nas horas abaixo, no horário de Brasília."
        value={values.diasAgenda}
        onChange={(days) =>
          form.set(
            'diasAgenda',
            WEEKDAYS.filter((day) => days.includes(day)),
          )
        }
        error={form.errors.diasAgenda}
      >
        <Group gap="0.625rem 1.25rem" mt="xs">
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} value={day} label={shortWeekday(day)} />
          ))}
        </Group>
      </Checkbox.Group>
      <div className={shared.columns}>
        <TimeField
          label={labels.iniciaAs}
          description="Vazia: a agenda não inicia."
          {...form.field('iniciaAs')}
        />
        <TimeField
          label={labels.pausaAs}
          description="Antes do início: no dia seguinte."
          {...form.field('pausaAs')}
        />
      </div>
      <div className={shared.columns}>
        <TextInput
          label={labels.tamanhoInicio}
          description="Como F8. Vazio: não muda."
          maxLength={5}
          autoComplete="off"
          spellCheck={false}
          {...form.text('tamanhoInicio')}
        />
        <TextInput
          label={labels.tamanhoFim}
          description="Muda para ele em vez de pausar."
          maxLength={5}
          autoComplete="off"
          spellCheck={false}
          {...form.text('tamanhoFim')}
        />
      </div>
      <HolidaysField
        value={values.feriados}
        error={form.errors.feriados}
        onChange={({ days, areValid }) => {
          form.set('feriados', days)
          form.setError('feriados', areValid ? undefined : 'Informe datas válidas (dd/mm/aaaa).')
        }}
      />
      <TextInput
        label={labels.ociosaMinutos}
        description="Minutos sem nenhum relatório aberto, de 15 a 1440. Vazio: não pausa por falta de uso."
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        {...form.text('ociosaMinutos')}
        onChange={({ currentTarget }) => form.set('ociosaMinutos', currentTarget.value.replace(/\D/g, ''))}
      />
    </EntityForm>
  )
}

interface HolidaysFieldProps {
  value: CapacityValues['feriados']
  onChange: (holidays: ReturnType<typeof holidaysOf>) => void
  error: string | undefined
}

const HolidaysField = ({ value, onChange, error }: HolidaysFieldProps) => (
  <TagsInput
    label={labels.feriados}
    name="feriados"
    description="Nestas datas a agenda não inicia a capacidade. Enter acrescenta; várias datas podem ser coladas."
    placeholder={value.length === 0 ? 'dd/mm/aaaa' : ''}
    maxTags={MAX_HOLIDAYS}
    splitChars={[',', ';', ' ', '\n']}
    value={value}
    onChange={(days) => onChange(holidaysOf(days))}
    error={error}
  />
)
