// How the tokens of tokens.css enter Mantine: its scales, its variables and the defaults of its components, set once here.
import {
  ActionIcon,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const scale = (name: string, hex: string): MantineColorsTuple => {
  const shades = hex.split(' ').map(one => `#${one}`);
  if (shades.length !== 10) throw new Error(`${name} has no ten shades`);
  return shades as unknown as MantineColorsTuple;
};
const cini = scale('cini', 'edfafa d7f3f4 b0e7e8 80d5d7 4bbfc2 1ea2a6 0b8185 076b6e 095153 083839');
const safran = scale('safran', 'fff7ea ffedcb ffda94 ffc55c f4af2d db9a0d b47d06 8e6201 6f4c02 523804');

export const theme = createTheme({
  colors: {
    cini,
    gray: scale('kagit', 'f9fafb f2f5f5 e7ebec d7dede bec6c6 909b9b 667172 465353 293536 111c1c'),
    dark: scale('dark', 'e8eeee b3bfc0 8f9d9f 6c7d80 35464a 1f2c2e 182426 10191b 0c1416 0b1214'),
    red: scale('mercan', 'fff4f1 ffe4dd ffc8bc ffa28f f87962 ec563d d33e25 b3311b 902514 681d10'),
    yellow: safran,
    orange: safran,
    blue: scale('kobalt', 'f2f7ff e0ecff c1d8ff 96bbfe 6b9cf8 457eea 2f67d5 2253b5 184090 102c64'),
    violet: scale('erguvan', 'fbf4fd f7e4fa efc8f5 dda2e6 c97cd5 b05cbd 9447a0 7b3785 5f2a67 431c49'),
    teal: cini,
    green: cini,
  },
  primaryColor: 'cini',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  white: '#ffffff',
  black: '#0f1b1c',
  fontFamily: 'var(--font-sans)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  fontWeights: { regular: '400', medium: '550', bold: '600' },
  headings: {
    fontFamily: 'var(--font-sans)',
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '15px', lineHeight: '20px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '10px', xl: '22px' },
  defaultRadius: 'md',
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  shadows: { xs: 'var(--e-1)', sm: 'var(--e-1)', md: 'var(--e-2)', lg: 'var(--e-2)', xl: 'var(--e-3)' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  variantColorResolver: input => {
    const base = defaultVariantColorsResolver(input);
    if (input.variant === 'subtle' && input.color === 'red')
      return { ...base, hover: 'var(--bad-tint)', color: 'var(--bad-text)' };
    if (input.variant === 'default' && input.color === 'red') return { ...base, color: 'var(--bad-text)' };
    if (input.variant !== 'filled') return base;
    if (!input.color || input.color === 'cini')
      return { ...base, background: 'var(--action)', hover: 'var(--action-hover)', color: 'var(--on-action)' };
    if (input.color === 'red')
      return { ...base, background: 'var(--danger)', hover: 'var(--danger-hover)', color: 'var(--on-danger)' };
    return base;
  },
  components: {
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 28 } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 550, radius: 5, variant: 'light' } }),
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // Help stands below, so that fields in a row stay on one line.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Tooltip: {
      defaultProps: {
        multiline: true,
        maw: 320,
        openDelay: 400,
        color: 'var(--ink)',
        c: 'var(--surface)',
        fz: 12,
        events: { hover: true, focus: true, touch: true },
      },
    },
    // Its placeholder is a focusable child that is no menu item, which no menu may hold; the first item takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, radius: 'lg', shadow: 'md' } },
    Popover: { defaultProps: { radius: 'lg', shadow: 'md' } },
    Modal: { defaultProps: { centered: true, radius: 'lg', shadow: 'xl', padding: 'lg' } },
    Drawer: { defaultProps: { position: 'right', size: 520, shadow: 'xl' } },
    DrawerRoot: { defaultProps: { position: 'right', size: 520, shadow: 'xl' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Table: { defaultProps: { verticalSpacing: 7, horizontalSpacing: 'sm' } },
  },
});

// The tokens switch with the scheme, so one list serves both.
const variables = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--bad-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line-strong)',
  '--mantine-primary-color-filled': 'var(--action)',
  '--mantine-primary-color-filled-hover': 'var(--action-hover)',
  '--mantine-primary-color-contrast': 'var(--on-action)',
  '--mantine-primary-color-light': 'var(--ok-tint)',
  '--mantine-primary-color-light-hover': 'var(--selected)',
  '--mantine-primary-color-light-color': 'var(--ok-text)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables });
