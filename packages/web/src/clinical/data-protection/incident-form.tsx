import { dataProtectionApi, type Incident, incidentSeverities } from '@bi-manager/contract'
import { Checkbox, Input, NumberInput, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { readEntity } from '../../lib/api/entities.ts'
import { usePurpose } from '../../lib/session/purpose.ts'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { InstantField } from '../../ui/instant-field/instant-field.tsx'
import { instantOfTyped, typedInWords } from '../../ui/instant-field/instant-text.ts'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from '../medical-records/author-name.tsx'
import { PurposeGate } from '../purpose/purpose-gate.tsx'
import { incidentsKey, refreshIncidents, saveIncident } from './data-protection-queries.ts'
import { termInWords } from './incident-status.ts'
import { draftOf, type IncidentValues, valuesOf } from './incident-values.ts'

const LIST = '/protecao-de-dados?aba=incidentes'
const FORM = '/protecao-de-dados/incidente'

export const IncidentFormPage = () => {
  const id = useEntityId('incidente')
  const title = id === undefined ? 'Registrar incidente' : 'Incidente'
  if (!usePurpose()) {
    return (
      <AdminPage title={title} narrow>
        <PurposeGate isOfficer>{null}</PurposeGate>
      </AdminPage>
    )
  }
  return (
    <EntityPage
      id={id}
      queryKey={incidentsKey}
      endpoint={dataProtectionApi.getIncident}
      title={title}
      notFound="Incidente não encontrado"
      listPath={LIST}
      fields={6}
    >
      {(incident) => <IncidentForm incident={incident} />}
    </EntityPage>
  )
}

const IncidentForm = ({ incident }: { incident: Incident | undefined }) => {
  const client = useQueryClient()
  const form = useEntityForm<IncidentValues, Incident>({
    entity: incident,
    valuesOf,
    required: ['titulo', 'conhecido_em', 'descricao', 'dados_afetados'],
    save: (values, base) => saveIncident(draftOf(values), base),
    reload: ({ id }) => readEntity(dataProtectionApi.getIncident, id),
    onSaved: () => refreshIncidents(client),
  })
  const { base, values } = form
  const term = termInWords(instantOfTyped(values.conhecido_em) ?? '')
  return (
    <EntityForm
      form={form}
      title={base ? 'Incidente' : 'Registrar incidente'}
      section="Proteção de dados"
      lead={
        base ? (
          <>
            Registrado por <AuthorName nome={base.registrado_por} idUsuario={base.idAutor} registro={null} />
          </>
        ) : (
          'O registro que a Resolução CD/ANPD nº 15/2024 pede (art. 10).'
        )
      }
      listPath={LIST}
      registerPath={FORM}
      texts={{ created: 'Incidente registrado!', updated: 'Incidente editado!' }}
      display={inWords}
    >
      <TextInput
        label="Título"
        description="Sem nomes de pessoas: ele aparece na lista."
        required
        maxLength={160}
        {...form.text('titulo')}
      />
      <InstantField
        label="Quando a empresa soube"
        description="O prazo corre a partir daqui. Dia e hora de Brasília."
        required
        {...form.field('conhecido_em')}
      />
      <InstantField label="Quando aconteceu" description="Se já se sabe." {...form.field('ocorrido_em')} />
      <Textarea
        label="O que aconteceu"
        required
        autosize
        minRows={3}
        maxLength={5_000}
        {...form.text('descricao')}
      />
      <Textarea
        label="Dados afetados"
        description="Que tipos de dados: identificação, contato, saúde, senhas…"
        required
        autosize
        minRows={2}
        maxLength={2_000}
        {...form.text('dados_afetados')}
      />
      <NumberInput
        label="Pessoas afetadas"
        description="Quantas, ou uma estimativa. Em branco se ainda não se sabe."
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator="."
        decimalSeparator=","
        max={1_000_000_000}
        clampBehavior="strict"
        hideControls
        styles={{ wrapper: { maxWidth: '18rem' } }}
        {...form.field('titulares_afetados')}
        onChange={(count) => form.set('titulares_afetados', String(count))}
      />
      <Input.Wrapper label="Risco para as pessoas" labelElement="div">
        <SegmentedControl
          fullWidth
          data={severities}
          aria-label="Risco para as pessoas"
          value={values.gravidade}
          onChange={(gravidade) => form.set('gravidade', gravidade as IncidentValues['gravidade'])}
        />
      </Input.Wrapper>
      <div className={shared.stackSm}>
        <Checkbox
          label="Pode causar risco ou dano relevante às pessoas: precisa ser comunicado"
          description="Em geral é assim com dados de saúde, de crianças, financeiros, senhas ou em larga escala."
          {...form.check('exige_comunicacao')}
        />
        {values.exige_comunicacao && term && (
          <Text p="0.625rem 0.875rem" bdrs="0.625rem" className={shared.active} role="status">
            Comunicar à ANPD e às pessoas afetadas <strong>{term}</strong> (três dias úteis).
          </Text>
        )}
      </div>
      {!values.exige_comunicacao && (
        <Textarea
          label="Por que não se comunica"
          description="Fica no registro no lugar da comunicação."
          autosize
          minRows={2}
          maxLength={2_000}
          {...form.text('motivo_sem_comunicacao')}
        />
      )}
      <Textarea
        label="Medidas tomadas"
        description="Para conter o incidente e para que não se repita."
        autosize
        minRows={2}
        maxLength={5_000}
        {...form.text('medidas')}
      />
      {values.exige_comunicacao && (
        <>
          <InstantField label="ANPD comunicada em" {...form.field('comunicado_anpd_em')} />
          <InstantField label="Pessoas comunicadas em" {...form.field('comunicado_titulares_em')} />
        </>
      )}
      <InstantField label="Encerrado em" {...form.field('encerrado_em')} />
    </EntityForm>
  )
}

const severities = Object.entries(incidentSeverities).map(([value, label]) => ({ value, label }))

const instantInWords = (value: unknown) => typedInWords(String(value)) || '(vazio)'

/** Formats values for the conflict dialog. */
const inWords: Partial<Record<keyof IncidentValues, (value: unknown) => string>> = {
  conhecido_em: instantInWords,
  ocorrido_em: instantInWords,
  comunicado_anpd_em: instantInWords,
  comunicado_titulares_em: instantInWords,
  encerrado_em: instantInWords,
  gravidade: (value) => incidentSeverities[value as IncidentValues['gravidade']],
}
