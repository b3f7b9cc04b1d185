import {
  ANNOUNCEMENT_LENGTH,
  type Announcement,
  Audience,
  announcementEntity,
  announcementsApi,
  labelsOf,
} from '@bi-manager/contract'
import { Input, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { AnnouncementBanner } from '../../ui/announcement/announcement-banner.tsx'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { InstantField } from '../../ui/instant-field/instant-field.tsx'
import { typedInWords } from '../../ui/instant-field/instant-text.ts'
import shared from '../../ui/shared.module.css'
import {
  type AnnouncementValues,
  audienceTexts,
  draftOf,
  formTexts,
  readText,
  valuesOf,
} from './announcement-values.ts'
import classes from './announcements.module.css'
import { announcementsKey } from './announcements-queries.ts'
import { MarkedTextField } from './marked-text-field.tsx'
import { ProfilesField } from './profiles-field.tsx'

const labels = labelsOf(announcementEntity)

export const AnnouncementFormPage = () => (
  <EntityPage
    id={useEntityId('aviso')}
    queryKey={announcementsKey}
    endpoint={announcementsApi.get}
    title="Editar aviso"
    notFound="Aviso não encontrado"
    listPath="/avisos"
    fields={7}
  >
    {(announcement) => <AnnouncementForm announcement={announcement} />}
  </EntityPage>
)

const AnnouncementForm = ({ announcement }: { announcement: Announcement | undefined }) => {
  const queryClient = useQueryClient()
  const form = useEntityForm<AnnouncementValues, Announcement>({
    entity: announcement,
    valuesOf,
    required: ['titulo', 'texto', 'inicio', 'fim'],
    save: (values, base) =>
      base
        ? call(
            announcementsApi.update,
            { params: { id: base.idAviso }, body: draftOf(values) },
            { ifMatch: base.versao },
          )
        : call(announcementsApi.create, { body: draftOf(values) }),
    reload: ({ idAviso }) => readEntity(announcementsApi.get, idAviso),
    onSaved: () => refreshAfter(queryClient, announcementEntity),
  })
  const { base, values } = form
  return (
    <EntityForm
      form={form}
      title={base ? 'Editar aviso' : 'Escrever aviso'}
      section="Avisos"
      lead={
        base
          ? `Lido por ${readText(base)}. Quem já leu não o recebe de novo.`
          : 'Uma notícia para quem usa o portal.'
      }
      listPath="/avisos"
      registerPath="/cadastrar-aviso"
      texts={{ created: 'Aviso publicado!', updated: 'Aviso editado!' }}
      labels={{ idPerfis: labels.perfis }}
      display={inWords}
    >
      <TextInput
        label={labels.titulo}
        maxLength={ANNOUNCEMENT_LENGTH.title}
        autoComplete="off"
        {...form.text('titulo')}
      />
      <MarkedTextField label={labels.texto} maxLength={ANNOUNCEMENT_LENGTH.text} {...form.field('texto')} />
      {(values.titulo || values.texto) && (
        <section aria-label="Prévia" className={classes.preview}>
          <p className={shared.smallNote}>Prévia</p>
          <AnnouncementBanner
            titulo={values.titulo || 'Sem título'}
            texto={values.texto}
            manutencao={values.manutencao}
          />
        </section>
      )}
      <Input.Wrapper
        label={labels.forma}
        labelElement="div"
        description="A faixa fica no alto das páginas até que a pessoa a dispense. O sino mostra uma notificação."
      >
        <SegmentedControl
          fullWidth
          mt="xs"
          aria-label={labels.forma}
          data={Object.entries(formTexts).map(([value, label]) => ({ value, label }))}
          value={values.forma}
          onChange={(forma) => form.set('forma', forma as AnnouncementValues['forma'])}
        />
      </Input.Wrapper>
      <NativeSelect
        label={labels.publico}
        data={Audience.options.map((value) => ({ value, label: audienceTexts[value] }))}
        name="publico"
        value={values.publico}
        error={form.errors.publico}
        onChange={({ currentTarget }) => form.set('publico', Audience.parse(currentTarget.value))}
      />
      {values.publico === 'PERFIS' && <ProfilesField {...form.field('idPerfis')} />}
      <InstantField label={labels.inicio} description="Dia e hora de Brasília." {...form.field('inicio')} />
      <InstantField label={labels.fim} {...form.field('fim')} />
      <Switch
        label={labels.manutencao}
        description="Aparece antes dos outros e também na página de entrada, para quem ainda não entrou: não escreva nada reservado."
        {...form.check('manutencao')}
      />
    </EntityForm>
  )
}

const instantInWords = (value: unknown) => typedInWords(String(value)) || '(vazio)'

/** Formats values for the conflict dialog. */
const inWords: Partial<Record<keyof AnnouncementValues, (value: unknown) => string>> = {
  inicio: instantInWords,
  fim: instantInWords,
  publico: (value) => audienceTexts[value as Audience],
  forma: (value) => formTexts[value as Announcement['forma']],
}
