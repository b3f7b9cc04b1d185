import { councils, labelsOf, states, type User, userEntity, usersApi } from '@bi-manager/contract'
import { NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useSession } from '../../lib/session/session.ts'
import { statusNames } from '../../lib/text/status-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DayTextField } from '../../ui/day-field/day-text-field.tsx'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
// Styles the arrow of native selects, too.
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import { EmailSection, FactorSection, ProviderSection } from './account-sections.tsx'
import { PasswordField } from './password-field.tsx'
import { draftOf, required, type UserValues, updateOf, valuesOf } from './user-values.ts'
import classes from './users.module.css'

export const UserFormPage = () => (
  <EntityPage
    id={useEntityId('user', 'idUsuario')}
    queryKey={usersKey}
    endpoint={usersApi.get}
    title="Editar usuário"
    notFound="Usuário não encontrado"
    listPath="/usuario"
    fields={6}
  >
    {(user) => <UserForm user={user} />}
  </EntityPage>
)

const labels = labelsOf(userEntity)

const UserForm = ({ user }: { user: User | undefined }) => {
  const queryClient = useQueryClient()
  const [generated, setGenerated] = useState<string>()
  const form = useEntityForm({
    entity: user,
    valuesOf,
    required,
    secrets: ['senhaUsuario'],
    save: (values, base) =>
      base
        ? call(
            usersApi.update,
            { params: { id: base.idUsuario }, body: updateOf(values) },
            { ifMatch: base.versao },
          )
        : call(usersApi.create, { body: draftOf(values) }),
    reload: ({ idUsuario }) => readEntity(usersApi.get, idUsuario),
    onSaved: () => refreshAfter(queryClient, userEntity),
  })
  const { base, values } = form
  const isOwn = base?.idUsuario === useSession()?.usuario_id
  const select = <K extends 'tipoUsuario' | 'situacao' | 'conselhoProfissional' | 'ufRegistro'>(name: K) => ({
    ...form.field(name),
    onChange: (event: ChangeEvent<HTMLSelectElement>) =>
      form.set(name, event.currentTarget.value as UserValues[K]),
  })
  const isGenerated = generated !== undefined && values.senhaUsuario === generated

  return (
    <EntityForm
      form={form}
      title={base ? 'Editar usuário' : 'Cadastrar usuário'}
      section="Usuários"
      lead={
        base
          ? base.nomeUsuario
          : 'A pessoa entra com o e-mail e a senha, que você entrega a ela, e vê só os relatórios que você liberar. Para ela mesma escolher a senha, use Convidar, na lista de usuários.'
      }
      listPath="/usuario"
      registerPath="/cadastrar-usuario"
      texts={{ created: 'Usuário cadastrado!', updated: 'Usuário editado!' }}
      afterSave={(saved, isNew) => (
        <>
          {isGenerated && <NewPassword password={generated} />}
          {isNew && <PermissionsLink user={saved} />}
        </>
      )}
      display={{
        senhaUsuario: (value) => (value === null ? 'sem alteração' : 'uma senha nova'),
        situacao: (value) => statusNames[value as UserValues['situacao']],
      }}
      below={
        base && (
          <>
            <EmailSection user={base} />
            <Permissions user={base} />
            <FactorSection user={base} />
            <ProviderSection user={base} />
          </>
        )
      }
    >
      <TextInput
        label={labels.nomeUsuario}
        maxLength={120}
        autoComplete="off"
        {...form.text('nomeUsuario')}
      />
      <TextInput
        type="email"
        label={labels.emailUsuario}
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        {...form.text('emailUsuario')}
      />
      <PasswordField
        owner={values}
        isKept={base !== undefined}
        generated={generated}
        onGenerate={setGenerated}
        {...form.field('senhaUsuario')}
      />
      <DayTextField
        label={labels.validoAte}
        description="Para quem fica por um tempo, como um prestador: no fim deste dia, a conta deixa de entrar. A pessoa e os administradores são avisados sete dias antes. Vazia: a conta não vence."
        {...form.field('validoAte')}
      />
      {base && (
        <div className={`${shared.stackLg} ${shared.ruled}`}>
          <div className={shared.columns}>
            <NativeSelect
              label={labels.tipoUsuario}
              description="ADMIN cuida dos cadastros e vê tudo."
              data={['USER', 'ADMIN']}
              {...select('tipoUsuario')}
            />
            <NativeSelect
              label={labels.situacao}
              description="Só quem está ativo entra no portal."
              data={Object.entries(statusNames).map(([value, label]) => ({ value, label }))}
              {...select('situacao')}
            />
          </div>
          <Switch
            label={labels.acessoProntuario}
            description={
              isOwn && !base.acessoProntuario
                ? OWN_GRANT
                : 'Abre os prontuários e anexos dos beneficiários: dados pessoais sensíveis de saúde (LGPD). Cada leitura fica registrada com o nome desta pessoa.'
            }
            disabled={isOwn && !base.acessoProntuario}
            {...form.check('acessoProntuario')}
          />
          <Switch
            label={labels.encarregadoDados}
            description={
              isOwn && !base.encarregadoDados
                ? OWN_GRANT
                : values.encarregadoDados && !values.acessoProntuario
                  ? 'Só vale com “Acesso a prontuários”, que está desligado.'
                  : 'Exporta o que se guarda sobre um beneficiário, vê quem leu e cuida dos incidentes. Só vale junto com “Acesso a prontuários”.'
            }
            disabled={isOwn && !base.encarregadoDados}
            {...form.check('encarregadoDados')}
          />
          <TextInput
            label={labels.identidadeRls}
            description="Vai no token dos relatórios com segurança por linha e diz a eles quais linhas esta pessoa pode ver. Vazia: vale só o e-mail."
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            {...form.text('identidadeRls')}
          />
          <fieldset className={classes.registration}>
            <legend>Registro profissional</legend>
            <p className={`${shared.smallNote} ${classes.registrationText}`}>
              Aparece com o nome e o número da pessoa em cada prontuário e anexo que ela registra a partir de
              agora. Só um administrador o muda.
            </p>
            <NativeSelect
              label="Conselho"
              data={[{ value: '', label: 'Nenhum' }, ...councils]}
              {...select('conselhoProfissional')}
            />
            <TextInput
              label="Número"
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
              {...form.text('numeroRegistro')}
            />
            <NativeSelect
              label="UF"
              data={[{ value: '', label: '—' }, ...states]}
              {...select('ufRegistro')}
            />
          </fieldset>
        </div>
      )}
    </EntityForm>
  )
}

const OWN_GRANT =
  'Você não pode conceder isto a si mesmo. Peça a outro administrador; se você é o único, use no servidor o comando npm run records:grant.'

const NewPassword = ({ password }: { password: string }) => (
  <Stack
    className={shared.outlined}
    flex="1 1 100%"
    align="center"
    gap="0.625rem"
    mb="0.5rem"
    p="0.875rem"
    ta="center"
  >
    <p className={shared.note}>Copie a senha agora: ela não aparece de novo.</p>
    <span className={classes.password}>{password}</span>
    <CopyButton text={password} label="Copiar senha" done="Senha copiada" />
  </Stack>
)

const PermissionsLink = ({ user }: { user: User }) => (
  <ActionButton icon={IconListCheck} label="Editar permissões" to={`/editrelatorio/${user.idUsuario}`} />
)

const Permissions = ({ user }: { user: User }) => (
  <section className={`${shared.panel} ${shared.spreadWide}`} aria-labelledby="permissoes">
    <div>
      <h2 id="permissoes" className={shared.subheading}>
        Permissões
      </h2>
      <p className={shared.underHeading}>Os relatórios que esta pessoa vê, por workspace ou todos juntos.</p>
    </div>
    <div className={shared.buttons}>
      <PermissionsLink user={user} />
      <ActionButton
        variant="subtle"
        label="Ver todos os relatórios"
        to={`/searchRelatorio?idUsuario=${user.idUsuario}`}
      />
      <ActionButton variant="subtle" label="Ver como" to={`/permissoes/ver-como/${user.idUsuario}`} />
    </div>
  </section>
)
