'use strict';

module.exports = require('../../dist/library.js');
