/** Problems of sessions, sign-ins and accounts, and of API keys. */
export const accountProblems = {
  link_invalido: {
    status: 400,
    title: 'Link inválido',
    detail: 'Este link não vale mais: já foi usado, venceu ou foi trocado por outro. Peça um novo.',
  },
  sessao_ausente: {
    status: 401,
    title: 'Sessão ausente',
    detail: 'Entre com seu usuário e senha para continuar.',
  },
  sessao_encerrada: {
    status: 401,
    title: 'Sessão encerrada',
    detail: 'Sua sessão terminou. Entre novamente para continuar.',
  },
  credenciais_invalidas: {
    status: 401,
    title: 'Usuário ou senha incorretos',
    detail: 'Atenção! Usuário ou senha, incorretos, tente novamente.',
  },
  segundo_fator_necessario: {
    status: 401,
    title: 'Código necessário',
    detail: 'Informe o código do seu aplicativo autenticador, ou um código de recuperação.',
  },
  codigo_invalido: {
    status: 401,
    title: 'Código inválido',
    detail: 'Este código não confere ou já foi usado. Aguarde o próximo e tente novamente.',
  },
  entrada_recusada: {
    status: 401,
    title: 'Entrada recusada',
    detail: 'O provedor de identidade não confirmou a sua entrada. Tente novamente.',
  },
  conta_pendente: {
    status: 403,
    title: 'Conta aguardando aprovação',
    detail: 'Sua conta aguarda a aprovação de um administrador.',
  },
  conta_vencida: {
    status: 403,
    title: 'Conta vencida',
    detail: 'O prazo da sua conta terminou. Procure um administrador.',
  },
  conta_bloqueada: {
    status: 403,
    title: 'Conta bloqueada',
    detail: 'Sua conta está bloqueada. Procure um administrador.',
  },
  conta_nao_ligada: {
    status: 403,
    title: 'Conta não ligada',
    detail: 'A conta com o seu e-mail não pode ser ligada a esta entrada. Procure um administrador.',
  },
  senha_desativada: {
    status: 403,
    title: 'Entrada com senha desativada',
    detail: 'Nesta instalação a entrada é feita pelo provedor de identidade da empresa.',
  },
  segundo_fator_obrigatorio: {
    status: 403,
    title: 'Segundo fator obrigatório',
    detail: 'Configure o segundo fator de autenticação para continuar.',
  },
  troca_de_senha_obrigatoria: {
    status: 403,
    title: 'Troca de senha obrigatória',
    detail: 'A sua senha foi gerada na instalação. Escolha outra para continuar.',
  },
  identidade_divergente: {
    status: 403,
    title: 'Identidade divergente',
    detail: 'A requisição informa uma identidade diferente da sessão.',
  },
  reautenticacao_necessaria: {
    status: 403,
    title: 'Entre novamente',
    detail: 'Faz mais de 10 minutos que você entrou. Informe também a sua senha atual.',
  },
  rede_nao_permitida: {
    status: 403,
    title: 'Rede não permitida',
    detail:
      'Sua conta só pode ser usada nas redes que a empresa permite. Conecte-se à rede da empresa ou à VPN e tente de novo; se já está nela, fale com um administrador.',
  },
  email_em_uso: { status: 409, title: 'E-mail em uso', detail: 'Já existe um usuário com este e-mail.' },
  ultimo_administrador: {
    status: 409,
    title: 'Último administrador',
    detail: 'Este é o único administrador ativo. Torne outra pessoa administradora primeiro.',
  },
  propria_conta: {
    status: 409,
    title: 'Própria conta',
    detail: 'Você não pode excluir a sua própria conta. Peça a outro administrador.',
  },
  conta_nao_pendente: {
    status: 409,
    title: 'Conta já decidida',
    detail: 'Esta conta não aguarda mais aprovação.',
  },
  email_nao_confirmado: {
    status: 409,
    title: 'E-mail não confirmado',
    detail:
      'Nada mostra que este e-mail é de quem pediu a conta. Envie um convite: a senha digitada no cadastro sai, e a pessoa define outra pelo link.',
  },
  email_ja_confirmado: {
    status: 409,
    title: 'E-mail já confirmado',
    detail: 'O e-mail desta conta já está confirmado. Atualize a lista e decida de novo.',
  },
  segundo_fator_exigido: {
    status: 409,
    title: 'Segundo fator exigido',
    detail: 'As regras desta instalação exigem o segundo fator de você: ele não pode ser desativado.',
  },
  segundo_fator_ausente: {
    status: 409,
    title: 'Segundo fator ausente',
    detail: 'Esta conta não tem segundo fator ativo.',
  },
  segundo_fator_ativo: {
    status: 409,
    title: 'Segundo fator já ativo',
    detail: 'Esta conta já tem segundo fator. Para trocar de aparelho, comece com um código do atual.',
  },
  identidade_ausente: {
    status: 409,
    title: 'Conta não ligada ao provedor',
    detail: 'Esta conta não está ligada ao provedor de identidade.',
  },
  provedor_indisponivel: {
    status: 503,
    title: 'Provedor de identidade indisponível',
    detail: 'O provedor de identidade não respondeu. Tente novamente em instantes.',
  },
  chave_invalida: {
    status: 401,
    title: 'Chave inválida',
    detail: 'Esta chave de API não existe, venceu ou foi revogada. Crie outra no portal, em Chaves de API.',
  },
  chave_sem_permissao: {
    status: 403,
    title: 'Fora do alcance da chave',
    detail: 'Nenhuma chave de API dá acesso a esta chamada. Entre no portal para fazê-la.',
  },
  chave_rede_negada: {
    status: 403,
    title: 'Rede não permitida',
    detail: 'Esta chave de API não pode ser usada a partir deste endereço.',
  },
  chaves_desligadas: {
    status: 403,
    title: 'Chaves de API desligadas',
    detail: 'As chaves de API não estão liberadas para você. Peça a um administrador.',
  },
  chave_ja_cadastrada: {
    status: 409,
    title: 'Chave já cadastrada',
    detail: 'Você já tem uma chave com este nome.',
  },
  chaves_demais: {
    status: 409,
    title: 'Chaves demais',
    detail: 'Você já tem 20 chaves. Revogue uma para criar outra.',
  },
} as const
