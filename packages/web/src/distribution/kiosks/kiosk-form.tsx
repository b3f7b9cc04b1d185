import { KIOSK_DAYS, type Kiosk, kioskEntity, kiosksApi, labelsOf } from '@bi-manager/contract'
import { SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { IdentityFields } from '../../ui/entity-form/identity-fields.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { NetworksField } from '../../ui/fields/networks-field.tsx'
import { draftOf, type KioskValues, valuesOf } from './kiosk-values.ts'
import { kiosksKey } from './kiosks-queries.ts'
import { PagesField } from './pages-field.tsx'
import { ScreenSection } from './screen-section.tsx'

const labels = labelsOf(kioskEntity)

export const KioskFormPage = () => (
  <EntityPage
    id={useEntityId('item')}
    queryKey={kiosksKey}
    endpoint={kiosksApi.get}
    title="Editar telão"
    notFound="Telão não encontrado"
    listPath="/teloes"
    fields={6}
  >
    {(kiosk) => <KioskForm kiosk={kiosk} />}
  </EntityPage>
)

const KioskForm = ({ kiosk }: { kiosk: Kiosk | undefined }) => {
  const queryClient = useQueryClient()
  const form = useEntityForm({
    entity: kiosk,
    valuesOf,
    required: ['nome', 'paginas', 'validadeDias'],
    save: (values, base) =>
      base
        ? call(
            kiosksApi.update,
            { params: { id: base.idTelao }, body: draftOf(values) },
            { ifMatch: base.versao },
          )
        : call(kiosksApi.create, { body: draftOf(values) }),
    reload: ({ idTelao }) => readEntity(kiosksApi.get, idTelao),
    onSaved: () => refreshAfter(queryClient, kioskEntity),
  })
  const { base, values, errors } = form
  return (
    <EntityForm
      form={form}
      title={base ? 'Editar telão' : 'Cadastrar telão'}
      section="Telões"
      lead={base ? base.nome : 'Páginas de relatórios que uma TV ou um monitor mostra, uma depois da outra.'}
      listPath="/teloes"
      registerPath="/cadastrar-telao"
      texts={{ created: 'Telão cadastrado!', updated: 'Telão editado!' }}
      display={{ paginas: pagesInWords }}
      above={base && <ScreenSection kiosk={base} />}
    >
      <TextInput label={labels.nome} maxLength={80} autoComplete="off" {...form.text('nome')} />
      <PagesField
        value={values.paginas}
        errors={errors}
        onChange={(pages) => {
          form.set('paginas', pages)
          for (const name of Object.keys(errors))
            if (name.startsWith('paginas.')) form.setError(name as 'paginas', undefined)
        }}
      />
      <div>
        <Text id="aparencia" fw={600} mb={4}>
          {labels.aparencia}
        </Text>
        <SegmentedControl
          aria-labelledby="aparencia"
          data={[
            { value: 'CLARO', label: 'Clara' },
            { value: 'ESCURO', label: 'Escura' },
          ]}
          value={values.aparencia}
          onChange={(look) => form.set('aparencia', look as KioskValues['aparencia'])}
        />
      </div>
      <Switch
        label={labels.ativo}
        description="Desligado, a tela continua conectada e não mostra nenhuma página."
        {...form.check('ativo')}
      />
      <TextInput
        label={labels.validadeDias}
        description={`De 1 a ${KIOSK_DAYS.most}, contados da próxima conexão. Depois, a tela pede outro código.`}
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        {...form.text('validadeDias')}
        onChange={({ currentTarget }) => form.set('validadeDias', currentTarget.value.replace(/\D/g, ''))}
      />
      <IdentityFields labels={labels} rows="a tela mostra as linhas deste usuário." text={form.text} />
      <NetworksField
        label={labels.redes}
        description="Um endereço ou uma rede por linha. Vazio: onde administradores ou os demais usuários podem usar o portal."
        {...form.text('redes')}
        faults={errors}
      />
    </EntityForm>
  )
}

const pagesInWords = (value: unknown): string =>
  (value as KioskValues['paginas'])
    .map(({ relatorio, excluido, titulo, segundos }) =>
      [relatorio?.label ?? excluido ?? '?', titulo, `${segundos} s`].filter(Boolean).join(' · '),
    )
    .join('; ')
