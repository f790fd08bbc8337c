// The types of the package for CommonJS: those of the module, which Node.js loads with require().
import type * as library from '../../dist/library.js' with { 'resolution-mode': 'import' };

export type * from '../../dist/library.js' with { 'resolution-mode': 'import' };

export declare const createEnforcer: typeof library.createEnforcer;
export declare const maskResponses: typeof library.maskResponses;
export declare const ConfigurationError: typeof library.ConfigurationError;
export declare const EnforcementError: typeof library.EnforcementError;

// A class is a type, too.
export type ConfigurationError = library.ConfigurationError;
export type EnforcementError = library.EnforcementError;
