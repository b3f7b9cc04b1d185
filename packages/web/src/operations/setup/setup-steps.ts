import type { SetupStepName } from '@bi-manager/contract'

import { dialogAddresses } from '../../lib/navigation/requested-dialog.ts'

interface StepTexts {
  label: string
  why: string
  /** The button's text, and the page on which the step is done. */
  action: string
  to: string
  /** Another way to do it. */
  other?: { action: string; to: string }
  /** Why a publication to the local service does this step too. */
  whyPublish?: string
}

/** The button of a step that a publication does. */
export const publishing = { action: 'Publicar relatório', to: '/publicar' }

export const stepTexts: Record<SetupStepName, StepTexts> = {
  senha: {
    label: 'Trocar a sua senha',
    why: 'A primeira senha foi escrita na instalação.',
    action: 'Trocar a senha',
    to: '/meu-perfil',
  },
  segundo_fator: {
    label: 'Configurar o seu segundo fator',
    why: 'Um código do celular protege a conta que administra o portal.',
    action: 'Configurar',
    to: '/meu-perfil',
  },
  conexao: {
    label: 'Cadastrar um Powerbi',
    why: 'É a conexão com o Power BI, ou com o serviço local de relatórios.',
    action: 'Cadastrar',
    to: '/Registerpowerbi',
  },
  teste: {
    label: 'Testar a conexão',
    why: 'O teste diz o que falta no Power BI, passo a passo.',
    action: 'Abrir os Powerbis',
    to: '/powerbi',
  },
  workspace: {
    label: 'Cadastrar um workspace',
    why: 'Importar workspaces traz de uma vez os grupos e os relatórios deles.',
    whyPublish: 'Ele nasce com o primeiro relatório que você publica. Os que já existem, importe-os.',
    action: 'Abrir os workspaces',
    to: '/workspace',
  },
  relatorio: {
    label: 'Cadastrar um relatório',
    why: 'Escolha o relatório entre os do grupo, ou importe-o com o workspace.',
    whyPublish: 'Publique no navegador uma planilha ou uma pasta, ou cadastre um que já está publicado.',
    action: 'Cadastrar',
    to: '/RegisterworkspaceRelatorios',
  },
  pessoa: {
    label: 'Cadastrar uma pessoa',
    why: 'Cadastre-a com uma senha, que você entrega, ou envie um convite por e-mail.',
    action: 'Cadastrar',
    to: '/cadastrar-usuario',
    other: { action: 'Convidar', to: dialogAddresses.invite },
  },
  permissao: {
    label: 'Dar permissão a um relatório',
    why: 'Uma pessoa só vê os relatórios que você libera, a ela ou a um perfil.',
    action: 'Dar permissão',
    to: '/searchRelatorio',
  },
  email: {
    label: 'Enviar e-mails',
    why: 'Sem SMTP_URL, nada é enviado: convites e avisos viram arquivos na pasta outbox. Envie um teste.',
    action: 'Abrir a situação',
    to: '/situacao',
  },
  copia: {
    label: 'Fazer cópias de segurança',
    why: 'Agende-as com BACKUP_SCHEDULE e BACKUP_TARGET.',
    action: 'Abrir a situação',
    to: '/situacao',
  },
}
